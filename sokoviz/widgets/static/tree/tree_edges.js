/**
 * All edges as one polygon: the way around the tree, down one side of each edge and up the other, as far apart as the
 * edge is wide. One such trace takes plotly a fraction of the time of a line a width, and every edge has its own width.
 */
import { mapped } from "./tree_view.js";

const THIN = 1; // pixels of an edge without visits
const THICKER = 5.4; // pixels that an edge grows by where it carries all visits
const CROWDED = 150; // nodes from which on edges are thinner
const HALF_FAN = 2.5; // half the width in pixels of the fan below a node that stands for folded nodes

/**
 * Plan the edges.
 *
 * @param stubs {pills, fans} below nodes: an edge leads to each pill, and each small fan is drawn with the edges
 */
export function planEdges(frame, { pills, fans }, { colors, scale }) {
  if (frame.n < 2 && !pills.length && !fans.length) return [];
  const thin = (frame.n > CROWDED ? 0.8 : 1) * THIN * scale;
  const widths = mapped(frame.visits, (visits) => thin + THICKER * scale * shareOf(visits, frame.visits[0]));
  const shareOfPill = new Map(pills.map(({ index, share }) => [index, share]));
  const depthOfFan = new Map(fans.map(({ index, dy }) => [index, dy]));
  const trace = { uid: "edges", mode: "none", hoverinfo: "skip", fill: "toself", fillcolor: colors.edge, line: { simplify: false } };
  const place = (places) => outline(frame.children, widths, { shareOfPill, depthOfFan, thin, half: HALF_FAN * scale }, places);
  return [{ trace, place }];
}

/** A width grows with the root of the visits, so that small differences are seen where there are few. */
function shareOf(visits, most) {
  return Math.sqrt(Math.min(visits / Math.max(most, 1), 1));
}

/** The way around the tree, from the root and back to it, in pixels. */
function outline(children, widths, stubs, { x, y, stubX, stubY }) {
  const way = new Way();
  const visit = (index) => {
    for (const child of children[index]) {
      way.along(x[index], y[index], x[child], y[child], widths[child], () => visit(child));
    }
    const share = stubs.shareOfPill.get(index);
    if (share !== undefined) {
      const [across, down] = [share * (stubX[index] - x[index]), share * (stubY[index] - y[index])];
      way.along(x[index], y[index], x[index] + across, y[index] + down, stubs.thin);
    }
    const below = stubs.depthOfFan.get(index);
    if (below !== undefined) way.fan(x[index], y[index], below, stubs.half);
  };
  visit(0);
  return [way.xs, way.ys];
}

/** A closed way that is drawn by going along both sides of strips, always the same way round. */
class Way {
  constructor() {
    this.xs = [];
    this.ys = [];
  }

  to(x, y) {
    this.xs.push(x);
    this.ys.push(y);
  }

  /** A strip from one place to another; `beyond` draws what hangs at its far end. */
  along(fromX, fromY, toX, toY, width, beyond = () => {}) {
    const length = Math.hypot(toX - fromX, toY - fromY) || 1;
    const [right, down] = [((fromY - toY) / length) * (width / 2), ((toX - fromX) / length) * (width / 2)];
    this.to(fromX + right, fromY + down);
    this.to(toX + right, toY + down);
    beyond();
    this.to(toX - right, toY - down);
    this.to(fromX - right, fromY - down);
  }

  /** A small fan below a place: the way comes from there and goes back there. */
  fan(x, y, below, half) {
    this.to(x - half, y + below);
    this.to(x + half, y + below);
  }
}

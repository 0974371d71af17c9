/**
 * All edges as one polygon: the way around the tree, down one side of each edge and up the other, as far apart as the
 * edge is wide. One such trace takes plotly a fraction of the time of a line a width, and every edge has its own width.
 */

const THIN = 1; // pixels of an edge without visits
const THICKER = 5.4; // pixels that an edge grows by where it carries all visits
const CROWDED = 150; // nodes from which on edges are thinner
const ARM = 2; // pixels from the middle of a small plus to its ends

/**
 * Plan the edges.
 *
 * @param stubs {pills, minis} below nodes: an edge leads to each pill, and to each small plus, which is drawn with it
 */
export function planEdges(frame, { pills, minis }, { colors, scale }) {
  if (frame.n < 2 && !pills.length && !minis.length) return [];
  const thin = (frame.n > CROWDED ? 0.8 : 1) * THIN * scale;
  const widths = Float64Array.from(frame.visits, (visits) => thin + THICKER * scale * shareOf(visits, frame.visits[0]));
  const shareOfPill = new Map(pills.map(({ index, share }) => [index, share]));
  const depthOfMini = new Map(minis.map(({ index, dy }) => [index, dy]));
  const trace = { uid: "edges", mode: "none", hoverinfo: "skip", fill: "toself", fillcolor: colors.edge, line: { simplify: false } };
  const place = (places) => outline(frame.children, widths, { shareOfPill, depthOfMini, thin, arm: ARM * scale }, places);
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
    const below = stubs.depthOfMini.get(index);
    if (below !== undefined) way.plus(x[index], y[index], below, stubs.thin, stubs.arm);
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

  /** A small plus on a stem below a place. */
  plus(x, y, below, width, arm) {
    this.along(x, y, x, y + below + arm, width);
    this.along(x - arm, y + below, x + arm, y + below, width);
    this.to(x, y + below); // back on the stem, so that nothing is drawn aslant
    this.to(x, y);
  }
}

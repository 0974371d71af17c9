/** The arithmetic of the inspector: what children score under another exploration constant. Nothing here is drawn. */

const SAME = 1e-9; // scores closer than this are a tie

/**
 * Children with their scores under an exploration constant.
 *
 * @param rows children as Python gives them; `unit` is the exploration term for a constant of 1, null where unvisited
 */
export function scoreRows(rows, constant) {
  return rows.map((row) => {
    const isVisited = row.unit !== null && row.exploitation !== null;
    const exploration = isVisited ? constant * row.unit : Infinity;
    return { ...row, exploration, score: isVisited ? row.exploitation + exploration : Infinity };
  });
}

/** Children with the highest score; unvisited ones come before all others. */
export function leaders(rows) {
  const best = Math.max(...rows.map((row) => row.score));
  return rows.filter((row) => row.score === best || best - row.score < SAME);
}

/** Rows by a column; those without a number in it come last, and equal ones keep their order. */
export function sortRows(rows, column, isDescending) {
  const sign = isDescending ? -1 : 1;
  const compare = (first, second) => {
    const [a, b] = [first[column], second[column]];
    if (a === null || b === null) return (a === null) - (b === null);
    if (a === b) return 0;
    return sign * (a < b ? -1 : 1);
  };
  return [...rows].sort(compare);
}

/** Two decimals with a real minus sign; "∞" for what is first anyway, "–" where there is no number. */
export function formatNumber(value) {
  if (value === null) return "–";
  if (!Number.isFinite(value)) return "∞";
  const text = Math.abs(value).toFixed(2);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** "with c = 0.5 node 7 would be chosen", and what is said of ties. */
export function describeLeaders(rows, constant) {
  if (!rows.length) return "";
  const best = leaders(rows);
  const names = best.map((row) => String(row.node));
  const list = names.length > 1 ? `nodes ${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : `node ${names[0]}`;
  const unvisited = best[0].score === Infinity ? " (never visited)" : "";
  return `with c = ${formatConstant(constant)} ${list}${unvisited} would ${names.length > 1 ? "tie" : "be chosen"}`;
}

/** A constant as short as it is. */
export const formatConstant = (constant) => String(Number(constant.toFixed(3)));

/** The range that bars of these rows span, zero included; never empty. */
export function barRange(rows) {
  const visited = rows.filter((row) => row.score !== Infinity);
  const ends = visited.flatMap((row) => [row.exploitation, row.score]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  return [low, high > low ? high : low + 1];
}

/** Numbers as people write them. */

/** A number as people write it: with a real minus, and thousands apart. */
export function signed(value, digits) {
  return value.toFixed(digits).replace("-", "−");
}

/** A whole number with its thousands apart. */
export function grouped(count) {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A count with its noun. */
export function counted(count, noun, plural = `${noun}s`) {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

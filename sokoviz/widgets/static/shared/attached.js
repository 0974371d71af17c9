/** What is attached to a page without a kernel: gzipped, each in an element of its own, unpacked when it is wanted. */

/** The bytes of an attachment as they are. */
export function attachedBytes(name) {
  const text = atob(document.getElementById(`sokoviz-attached-${name}`).textContent);
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

/**
 * The data of an attachment, as Python's `pack` packs them.
 *
 * @returns {value, bytes}: what `withBytes` takes
 */
export async function readAttached(name) {
  const stream = new Blob([attachedBytes(name)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const all = await new Response(stream).arrayBuffer();
  const end = 4 + new DataView(all).getUint32(0, true);
  return { value: JSON.parse(new TextDecoder().decode(new Uint8Array(all, 4, end - 4))), bytes: all.slice(end) };
}

/** A value with its bytes in their places. */
export function withBytes(value, bytes) {
  if (Array.isArray(value)) return value.map((each) => withBytes(each, bytes));
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value.bytes)) return new DataView(bytes, ...value.bytes);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withBytes(each, bytes)]));
}

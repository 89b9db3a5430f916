const previewCharacters = 2000;

/** JSON text of a value; of a large one its size and its beginning. */
export function boundedJson(value: unknown, limitBytes: number): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) <= limitBytes) return text;
  return JSON.stringify({
    _truncated: true,
    _bytes: Buffer.byteLength(text),
    _preview: text.slice(0, previewCharacters).toWellFormed(),
  });
}

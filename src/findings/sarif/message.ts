/**
 * Texts of SARIF messages. Readers make links of `[text](target)` and fill `{0}` (§3.11.5 and §3.11.6), so what comes
 * from scanned code is escaped, and unescaped when read.
 */
export const messageText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[[\]\\]/g, String.raw`\$&`)
    .replaceAll(/[{}]/g, '$&$&');

const placeholder = /\{\{|\}\}|\{(\d{1,3})\}|\\([[\]\\])/g;

/** The plain text of a message, its placeholders filled. */
export const plainMessage = (text: string, given: readonly string[] = []): string =>
  text.replaceAll(placeholder, (whole, index: string | undefined, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped;
    if (index !== undefined) return given[Number(index)] ?? whole;
    return whole.slice(0, 1);
  });

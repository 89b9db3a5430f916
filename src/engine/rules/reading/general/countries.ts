/** Codes of countries by their English names, as the language data of the runtime has them. */

const names = new Intl.DisplayNames(['en'], { type: 'region' });
const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at));
const codes = new Map<string, string>();
for (const first of letters)
  for (const second of letters) {
    const code = first + second;
    const name = names.of(code);
    if (name !== undefined && name !== code) codes.set(name.toLowerCase(), code);
  }

/** The two-letter code of a country; empty where the name is that of none. */
export function countryCodes(name: string): string[] {
  const code = codes.get(name.toLowerCase());
  return code === undefined ? [] : [code];
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';
import { sfntOfWoff } from './woff.ts';

/**
 * The fonts of reports, all under the SIL Open Font License. Noto Sans has Latin, Greek, Cyrillic and Devanagari, Noto
 * Sans Mono code and box drawing, Noto Emoji the emoji in outline, and Unifont the rest of the Basic Multilingual Plane
 * (Chinese, Japanese, Korean, Arabic, Hebrew, Thai …) in coarse but readable letters.
 */
export type Family = 'Sans' | 'Mono' | 'Emoji' | 'Unifont';

const require = createRequire(import.meta.url);
const pathOf = (file: string) => require.resolve(file);

const files = {
  Sans: {
    normal: pathOf('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    bold: pathOf('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
  },
  Mono: {
    normal: pathOf('@expo-google-fonts/noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf'),
    bold: pathOf('@expo-google-fonts/noto-sans-mono/600SemiBold/NotoSansMono_600SemiBold.ttf'),
  },
  Emoji: {
    normal: pathOf('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
    bold: pathOf('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
  },
} as const;

/** Name under which the unpacked Unifont is given to the PDF library; it is no path. */
export const unifontName = 'unifont.ttf';

/** What the PDF library is to know of the fonts. */
export const fontDescriptors = {
  ...files,
  Unifont: { normal: unifontName, bold: unifontName },
} as const;

/** Files that may be opened. */
export const fontPaths: ReadonlySet<string> = new Set(
  Object.values(files).flatMap(({ normal, bold }): string[] => [normal, bold]),
);

type Face = Extract<ReturnType<typeof fontkit.create>, { hasGlyphForCodePoint: unknown }>;

const faceOf = (bytes: Buffer) => fontkit.create(bytes) as Face;

/** Finds the font of each letter. A font is loaded when a letter first needs it. */
export class FontBook {
  readonly #faces = new Map<Family, Face>();
  readonly #families = new Map<string, Family | undefined>();
  #unifont: Buffer | undefined;

  /** The first font, beginning with `first`, that has the letter; undefined where none has. */
  familyOf(codePoint: number, first: 'Sans' | 'Mono'): Family | undefined {
    const key = `${first}${codePoint}`;
    if (this.#families.has(key)) return this.#families.get(key);
    const second = first === 'Sans' ? 'Mono' : 'Sans';
    const found = ([first, second, 'Emoji', 'Unifont'] as const).find((family) =>
      this.#face(family).hasGlyphForCodePoint(codePoint),
    );
    this.#families.set(key, found);
    return found;
  }

  /** The unpacked Unifont, where a letter needed it. */
  get unifont(): Buffer | undefined {
    return this.#unifont;
  }

  #face(family: Family): Face {
    const known = this.#faces.get(family);
    if (known !== undefined) return known;
    const face = faceOf(family === 'Unifont' ? this.#unpacked() : readFileSync(files[family].normal));
    this.#faces.set(family, face);
    return face;
  }

  #unpacked(): Buffer {
    this.#unifont = sfntOfWoff(
      readFileSync(pathOf('@fontsource/unifont/files/unifont-latin-400-normal.woff')),
    );
    return this.#unifont;
  }
}

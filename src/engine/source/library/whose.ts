import type { SourceModule } from '../modules.ts';
import { libraryAt } from './library-parts.ts';
import { minifiedAs, type Minified } from './minified.ts';

/** Whose code a place is, where it is not what the project's author wrote. */
export interface Whose {
  library?: string;
  minified?: Minified;
}

/** Whose code a place in a file is; nothing is said where it is the project's own. */
export function whose(module: Pick<SourceModule, 'path' | 'text'>, at: number): Whose {
  const library = libraryAt(module, at);
  const minified = minifiedAs(module);
  return {
    ...(library === undefined ? {} : { library }),
    ...(minified === undefined ? {} : { minified }),
  };
}

import { type Frame, firstOf } from './frame-readers.ts';
import { readLimit } from './main-bounded.ts';
import { readForbidden, readNo } from './main-forbidden.ts';
import { readKept } from './main-kept.ts';
import { readNeeded } from './main-needed.ts';
import { readOnly } from './main-only.ts';

const read = firstOf([readLimit, readForbidden, readKept, readOnly, readNo, readNeeded]);

/** Reads the main clause of a statement. */
export const readMain = (source: string, frame: Frame): Frame | undefined =>
  read(source.replace(/^(?:always|also|first|please)\s+/i, '').trim(), frame);

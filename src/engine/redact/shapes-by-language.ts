/** Patterns of personal data as it is written in Spanish, Italian, Portuguese and Dutch. */
import { addressesByLanguage } from './addresses-by-language.ts';
import { birthsByLanguage } from './births-by-language.ts';
import { dutchAddresses } from './dutch-addresses.ts';
import type { Shape } from './finding.ts';
import { idsByLanguage } from './ids-by-language.ts';
import { namesByLanguage } from './names-by-language.ts';
import { phonesByLanguage } from './phones-by-language.ts';

/** "At" and "dot" in words. */
const spokenEmail: Shape = {
  kind: 'email',
  type: 'email_spelled_out',
  shape:
    /\b[\w.+-]{1,64}(?: (?:punto|ponto|punt) [\w-]{1,63}){0,2} ?[[({]?(?:arroba|chiocciola|apenstaartje)[\])}]? ?[\w-]{1,63}(?:(?: (?:punto|ponto|punt) |\.)[\w-]{1,63}){1,4}/dgi,
  anchor: { part: /arroba|chiocciola|apenstaartje/gi, reach: 900 },
};

export const shapesByLanguage: readonly Shape[] = [
  spokenEmail,
  ...idsByLanguage,
  ...birthsByLanguage,
  ...phonesByLanguage,
  ...addressesByLanguage,
  ...dutchAddresses,
  ...namesByLanguage,
];

/** National ids of Spain, Italy, Portugal, the Netherlands, Belgium and Latin America. */
import {
  isArgentineId,
  isBelgianId,
  isBrazilianId,
  isChileanId,
  isItalianId,
  isMexicanId,
  isPortugueseSocialId,
  isPortugueseTaxId,
  isSpanishId,
  isSpanishSocialId,
} from './checksums.ts';
import type { Shape } from './finding.ts';

const bared = (check: (id: string) => boolean) => (value: string) => check(value.replaceAll(/[\s./-]/g, ''));
/** How many digits in a row they have at least where it is not seven; some stand between letters. */
const fewerDigits: Readonly<Record<string, number>> = {
  mx_curp: 6,
  it_codice_fiscale: 4,
  passport: 1,
  driving_licence: 1,
};

const id = (type: string, shape: RegExp, check?: Shape['check'], after?: RegExp): Shape => ({
  kind: 'national_id',
  type,
  shape,
  digits: fewerDigits[type] ?? 7,
  ...(check && { check }),
  ...(after && { after }),
});

/** The word for the id, then no other digit before the number. */
const afterWord = (words: string) => new RegExp(`(?<![\\p{L}])(?:${words})(?!\\p{L})[^\\d\\n]{0,24}$`, 'iu');
/** For what is hardly more than a word with a digit: a text without the word has none. */
const behindWord = (words: string, shape: Shape): Shape => ({
  ...shape,
  after: afterWord(words),
  needs: new RegExp(words, 'iu'),
  anchor: { part: new RegExp(words, 'giu'), reach: 300 },
});
const hasDigits = (value: string) => /\d.{0,3}\d.{0,3}\d/.test(value);

const passportWords =
  'pas+aporte|passaporto|paspoort(?:nummer)?|paspoortnr|carta d.identit[àa]|c\\.i\\.|identiteitskaart(?:nummer)?|id-kaart|documento de identi(?:dad|dade)';
const licenceWords =
  'patente(?: di guida)?|rijbewijs(?:nummer)?|permiso de conducir|carn[ée] de conducir|licencia de conducir|carta de condu[çc][ãa]o|cnh';

export const idsByLanguage: readonly Shape[] = [
  id('es_dni', /(?<![\w.])\d{1,2}\.\d{3}\.\d{3} ?-? ?[A-HJ-NP-TV-Z](?!\w)/dgi, bared(isSpanishId)),
  id('es_dni', /(?<!\w)\d{8}[ -][A-HJ-NP-TV-Z](?!\w)/dgi, bared(isSpanishId), afterWord('dni|nif|documento')),
  id(
    'es_social_security',
    /(?<!\w)\d{2}[ /-]?\d{8}[ /-]?\d{2}(?!\w)/dg,
    bared(isSpanishSocialId),
    afterWord('seguridad social|afiliaci[óo]n|nuss|naf|ss'),
  ),
  {
    ...id('mx_curp', /(?<!\w)[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z\d]\d(?!\w)/dgi, isMexicanId),
    anchor: { part: /\d{6}[HMX]/gi, reach: 60 },
  },
  id('cl_rut', /(?<![\w.])\d{1,2}\.\d{3}\.\d{3}-[\dK](?!\w)/dgi, bared(isChileanId)),
  id(
    'cl_rut',
    /(?<!\w)\d{7,8}-?[\dK](?!\w)/dgi,
    bared(isChileanId),
    afterWord('rut|run|rol [úu]nico tributario'),
  ),
  id('ar_cuit', /(?<![\w-])(?:20|23|24|27|30|33|34)-\d{8}-\d(?![\w-])/dg, bared(isArgentineId)),
  id('ar_cuit', /(?<!\w)\d{11}(?!\w)/dg, isArgentineId, afterWord('cui[lt]')),
  id(
    'latin_american_id',
    /(?<![\w.])\d{1,3}(?:\.?\d{3}){2,3}(?!\w)/dg,
    undefined,
    afterWord('dni(?: \\p{L}+)?|c[ée]dula(?: de (?:ciudadan[íi]a|identidad|extranjer[íi]a))?'),
  ),
  id(
    'it_codice_fiscale',
    /(?<!\w)[A-Z]{3} [A-Z]{3} \d{2}[A-EHLMPRST]\d{2} [A-Z]\d{3} ?[A-Z](?!\w)/dgi,
    bared(isItalianId),
  ),
  id(
    'pt_tax_id',
    /(?<!\w)[1-35689]\d{2}[ .]?\d{3}[ .]?\d{3}(?!\w)/dg,
    bared(isPortugueseTaxId),
    afterWord('nif|n\\.i\\.f|contribuinte|identifica[çc][ãa]o fiscal'),
  ),
  id(
    'pt_social_security',
    /(?<!\w)[12]\d{10}(?!\w)/dg,
    isPortugueseSocialId,
    afterWord('niss|seguran[çc]a social'),
  ),
  id('pt_citizen_card', /(?<!\w)\d{8} ?\d ?[A-Z]{2}\d(?!\w)/dg),
  id(
    'pt_identity_card',
    /(?<!\w)\d{7,9}(?:[ -]?\d)?(?!\w)/dg,
    undefined,
    afterWord(
      '(?:n[úu]mero|n\\.?o) de utente|utente n\\.?o|cart[ãa]o de cidad[ãa]o|bilhete de identidade|b\\.?i\\.? n\\.?o|cc n\\.?o',
    ),
  ),
  id(
    'br_rg',
    /(?<![\w.])\d{1,2}\.\d{3}\.\d{3}(?:-[\dX])?(?!\w)/dgi,
    undefined,
    afterWord('rg|registro geral|identidade'),
  ),
  id('br_cpf', /(?<!\w)\d{9}-\d{2}(?!\w)/dg, bared(isBrazilianId)),
  id(
    'be_nrn',
    /(?<!\w)\d{2}[. -]?\d{2}[. -]?\d{2}[. -]?\d{3}[. -]?\d{2}(?!\w)/dg,
    bared(isBelgianId),
    afterWord('rijksregister(?:nummer|nr)?|insz(?:-nummer)?|rrn|nationaal nummer|identificatienummer'),
  ),
  behindWord(
    passportWords,
    id('passport', /(?<![\w-])(?:[A-Z]{1,3} ?\d[A-Z\d]{4,8}|\d{3}-\d{7}-\d{2}|\d{9})(?![\w-])/dgi, hasDigits),
  ),
  behindWord(
    licenceWords,
    id('driving_licence', /(?<![\w-])(?=[A-Z]{0,4}\d)[A-Z\d]{7,12}(?:-\d)?(?![\w-])/dgi, hasDigits),
  ),
];

/** Dates of birth as they are written in Spanish, Italian, Portuguese and Dutch. */
import type { Shape } from './finding.ts';
import { latin } from './pattern-parts.ts';

/** Months, also shortened. */
export const monthsByLanguage =
  '(?:ene(?:ro)?|feb(?:rero|braio|ruari)?|mar(?:zo)?|abr(?:il)?|may(?:o)?|jun(?:io|ho|i)?|jul(?:io|ho|i)?|ago(?:sto)?|se[pt]?t?(?:iembre|embre|embro|ember)?|oct(?:ubre)?|nov(?:iembre|embre|embro|ember)?|dic(?:iembre|embre)?|gen(?:naio)?|apr(?:ile|il)?|mag(?:gio)?|giu(?:gno)?|lug(?:lio)?|ott(?:obre)?|jan(?:eiro|uari)?|fev(?:ereiro)?|março|maio|out(?:ubro)?|dez(?:embro)?|maart|mrt|mei|aug(?:ustus)?|okt(?:ober)?|dec(?:ember)?)\\.?';

/** Nobody who is spoken of was born before 1900. Years in words are long: "mil novecientos setenta y dos". */
const year =
  '(?:(?:19|20)\\d{2}|mil (?:novecientos|novecentos|e novecentos)(?: \\p{L}{1,12}){0,4}|dos mil(?: \\p{L}{1,12})?|dois mil(?: e \\p{L}{1,12})?|(?:millenovecento|duemila|negentien|tweeduizend)\\p{L}{0,20})';
/** Day of the month in digits or in words: "uno", "primo", "eenendertig", "vinte e dois". */
const day = '(?:\\d{1,2}(?:[.ºo°ªa]{0,2}|er)|\\p{L}{2,16}(?: [ey] \\p{L}{2,6})?)';
const date = `(?:\\d{1,2}\\s?[./-]\\s?\\d{1,2}\\s?[./-]\\s?(?:(?:19|20)\\d{2}|\\d{2})|(?:19|20)\\d{2}[./-]\\d{1,2}[./-]\\d{1,2}|${day}(?: de| di|) ?${monthsByLanguage}(?: del?|),? ${year}|\\d{1,2}[- ](?:${monthsByLanguage})[- ](?:19|20)?\\d{2})`;

/** Between the word and the date: the form of the date, a place, "on", "the day". */
const between =
  "[\"')]{0,2}(?: ?\\([^()\\n]{2,14}\\))?[\\s:=]{0,4}(?:(?:en|in|em|a|te|ad?)\\s\\p{L}[\\p{L}'-]{1,25}(?:\\s(?:de |del |di |do )?\\p{L}[\\p{L}'-]{1,25})?,?\\s|\\p{Lu}[\\p{L}'-]{1,25},\\s)?(?:(?:el|il|no|em|en|in|a|op|è|é|es|is|era|was|día|dia|giorno|data|fecha|data de|del?|den?|d\\.d\\.|lo scorso)\\s|l'){0,3}[\"'(]{0,2}";
const born = [
  'fecha[ _](?:de[ _])?(?:su |mi )?nac(?:imiento)?\\.?|f(?:ch)?a?\\.? ?(?:de )?nac(?:imiento)?\\.?|nac\\.|nac[ií](?:d[oa]s?|ste|mos)?|naci[óo]|(?:mi|su|tu) cumplea[ñn]os',
  'data[ _](?:di[ _])?nascita|nat[oa](?:/[ao])?|nacque|nacqui|(?:mio|suo|tuo) compleanno|n\\.(?= il )',
  'data[ _](?:de[ _])?nasc(?:imento)?\\.?|d\\.? ?nasc\\.?|nascimento|nasc\\.|nasc(?:i|ido|ida|eu)(?:/[ao])?|(?:meu|seu|teu) anivers[áa]rio',
  'geboorte[ _-]?datum|geboren|geb\\.(?: ?dat(?:um|\\.))?|(?:mijn|zijn|haar|uw|je) verjaardag',
].join('|');

/** What was founded, not born. */
const founded =
  /(?:rep[úu]b+lica|aziend|societ|dit+a|empres|compa[ñn][íi]|compagni|club|associazion|asociaci|associa[çc]|movim|partit|partid|giornal|peri[óo]dic|jorna|marc|fundaci|fonda[çz]|bedrijf|vereniging|stichting|merk|proje[ck]t|proget|proyect|banc[ao]|prodott|product|revista|rivista|app|idea|platt?aform|piattaform|tradi[cz]i|fiest|fest[ai]|start-?up|grupo|gruppo|band|ciudad|citt[àa]|cidade|revolu[cç]|rivoluz|guerr)\p{L}* (?:[^\s.,]{1,6} ){0,2}(?:nac|nat|nasc|geb)\p{L}*[^.,\n]{0,12}$/iu;

const birth = (shape: string, flags: string): Shape => ({
  kind: 'date_of_birth',
  type: 'date_of_birth',
  shape: new RegExp(shape, flags),
  notAfter: founded,
});

export const birthsByLanguage: readonly Shape[] = [
  birth(`(?<![${latin}])(?:${born})(?![\\p{L}])${between}(?<value>${date})(?![\\p{L}\\d])`, 'dgiu'),
  // Short labels of forms and charts, in capitals.
  birth(
    `(?<![${latin}\\d])(?:FN|F\\.N\\.|D\\.?N\\.?|D\\.?d\\.?n\\.?|DDN|GD|GEB)\\s?[:.=]?\\s?(?<value>${date})(?![\\p{L}\\d])`,
    'dgu',
  ),
  // "I am of": in Italian the same word says "they are", so that it must begin the sentence.
  birth(
    `(?<![${latin}])(?:[Ss]oy del?|(?:S|[Ii]o s)ono del|[Ss]ou d[eo]|[Ii]k ben van)(?: día)? (?<value>${date})(?![\\p{L}\\d])`,
    'dgu',
  ),
  // The verb at the end, as in Dutch.
  birth(
    `(?<![${latin}])(?:op|am) (?<value>${date}),?(?: (?:in|te) \\p{L}[\\p{L}'-]{1,25})? geboren(?!\\p{L})`,
    'dgiu',
  ),
];

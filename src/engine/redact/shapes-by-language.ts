/** Addresses, dates of birth and mobile numbers as they are written in Spanish, Italian, Portuguese and Dutch. */
import type { Shape } from './finding.ts';

const months =
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december';
const date = `(?:\\d{1,2}\\s?[./-]\\s?\\d{1,2}\\s?[./-]\\s?(?:19|20)?\\d{2}|(?:19|20)\\d{2}[./-]\\d{1,2}[./-]\\d{1,2}|\\d{1,2}[.ºo°]?(?: de| di|)? (?:${months})(?: del?|)?,? \\d{4})`;
/** Between the word and the date: a place, a weekday, "on", "the day". */
const between =
  "[\"”’)]{0,2}[\\s:=]{0,4}(?:(?:(?:en|in|em|a|te|ad?)\\s\\p{Lu}[\\p{L}’'-]{1,25}(?:\\s\\p{Lu}[\\p{L}’'-]{1,25})?,?\\s)?(?:(?:el|il|no|em|a|op|è|é|es|is|era|was|l’|l'|día|dia|giorno|del?|den?|lo scorso)\\s){0,3})[\"“(]{0,2}";
const born =
  'fecha de (?:su |mi )?nacimiento|f(?:ch)?a?\\.? ?(?:de )?nac(?:imiento)?\\.?|nac[ií](?:d[oa]s?)?(?: el)?|naci[óo]|data di nascita|nat[oa]|nacque|data de nascimento|d(?:ata)?\\.? ?(?:de )?nasc\\.?|nasc(?:i|ido|ida|eu)|geboortedatum|geboren|geb\\.(?: ?datum)?';

const births: readonly Shape[] = [
  {
    kind: 'date_of_birth',
    type: 'date_of_birth',
    shape: new RegExp(
      `(?<![\\p{L}])(?:${born})(?![\\p{L}])${between}(?<value>${date})(?![\\p{L}\\d])`,
      'dgiu',
    ),
  },
];

const particle =
  "(?:(?:de|del|della|delle|dello|dei|degli|di|da|das|do|dos|d'|d’|dell'|dell’|la|las|los|el|l'|l’|lo|le|y|e|i|san|santa|santo|são|van|der|den|de|het|’t|'t) ?)";
const name = "(?:\\p{Lu}[\\p{L}’'.-]{0,25}|(?:I|II|III|IV|V|VI|X|XX|XXIII)|\\d{1,2}(?= (?:de|di) \\p{L}))";
const named = `(?:${particle}{0,3}${name} ?){1,5}`;
const number =
  '(?:n\\.?[ºo°r]?\\.? ?|núm\\.? |número |num\\.? |nummer )?\\d{1,5}(?:[ -]?(?:[a-zA-Z](?![\\p{L}])|bis|ter|hs|\\d{1,3}(?=[,\\s])))?(?:/\\d{0,3}[A-Za-z]?)?';
/** Floor, door, staircase, block, flat. */
const inside =
  '(?:,? ?(?:\\d{1,2}\\.?[ºªo°](?:\\s?(?:[A-Z]|dcha?|izq(?:da)?|dta|esq|dto|Esq|Dto|Izq|Dcha|D|E|F)\\.?(?![\\p{L}]))?|(?:piso|planta|bajo|puerta|pta\\.?|esc(?:alera)?\\.?|portal|bloque|int(?:erno)?\\.?|scala|sc\\.|piano|apto\\.?|apartamento|ap\\.|bloco|bl\\.|andar|fração|fracção|casa|sala|lote|r/c|appartement|verdieping|bus)(?: ?[\\dA-Z][\\dA-Za-zºª]{0,4})?(?:\\s?(?:dcha?|izq|esq|dto)\\.?)?)){0,3}';
const town = `\\p{Lu}[\\p{L}’'-]{1,25}(?:[ -](?:(?:de|del|la|do|da|dos|di|aan|den) )?\\p{Lu}[\\p{L}’'-]{1,25}){0,3}`;
const postcode =
  '(?:,? ?(?:[-–] )?(?:CAP |CP |CEP:? |C\\.P\\. )?(?:\\d{4}-\\d{3}|\\d{5}-\\d{3}|\\d{5}|\\d{4} ?[A-Z]{2})(?![\\d]))';
const tail = `(?:(?:,? (?:[-–] )?${town})?${postcode}(?:,? (?:[-–] )?${town})?(?: \\([A-Z]{2}\\)|[ ,/-]{1,3}[A-Z]{2}(?![\\p{L}]))?|,? (?:en |a |in |em |te )?(?!${months})${town}(?: \\([A-Z]{2}\\))?)?`;

const kindsOfStreet =
  '[Cc]alle|[Cc]/|C\\.|[Aa]venida|[Aa]vda\\.?|[Aa]v\\.|[Pp]laza|[Pp]za\\.?|[Pp]aseo|P\\.?º|[Rr]onda|[Cc]arretera|[Cc]tra\\.|[Cc]amino|[Tt]raves[ií]a|[Gg]lorieta|[Cc]arrer|[Rr]ambla|[Uu]rbanizaci[óo]n|[Vv]ia|[Vv]iale|V\\.le|[Pp]iazzale|[Pp]iazza|P\\.zza|P\\.za|[Cc]orso|C\\.so|[Ll]argo|[Vv]icolo|[Ss]trada|[Ll]ungomare|[Ll]ungotevere|[Cc]ontrada|[Ss]alita|[Rr]ua|R\\.|[Tt]ravessa|Tv\\.|[Pp]raça|[Ee]strada|[Aa]lameda|[Rr]odovia|[Bb]eco|[Cc]alçada';

const addresses: readonly Shape[] = [
  {
    kind: 'address',
    type: 'street_address',
    shape: new RegExp(
      `(?<![\\p{L}\\d])(?:${kindsOfStreet}) ?${named},? ?${number}(?![\\p{L}\\d%€$])${inside}${tail}`,
      'dgu',
    ),
  },
  {
    kind: 'address',
    type: 'street_address',
    shape: new RegExp(
      `(?<![\\p{L}-])(?:(?:\\d{1,2}e |\\p{Lu}[\\p{L}.’'-]{0,20} |(?:van|der|den|de|het|aan) ){0,4}(?:\\p{Lu}[\\p{L}-]{1,30}?(?:straat|laan|weg|kade|singel|dijk|hof|pad|steeg|baan|plein|markt|plantsoen|dreef|gracht|wal|park)|(?:Laan|Weg|Plein|Hof) (?:van|der|den|de|het|’t|'t)(?: (?:van|der|den|de|het|\\p{Lu}[\\p{L}-]{1,25})){1,4})) \\d{1,5}(?: ?[a-zA-Z](?![\\p{L}])|[ -](?:hs|bis|[IVX]{1,4}|\\d{1,3})(?![\\p{L}\\d]))?(?![\\p{L}\\d%€])${inside}${tail}`,
      'dgu',
    ),
  },
];

const digits = (text: string) => text.replaceAll(/\D/g, '');
const ofLength = (least: number, most: number) => (value: string) => {
  const { length } = digits(value);
  return length >= least && length <= most;
};
/** Words before a number that make it a telephone number. */
const beforeNumber =
  /(?<![a-zà-ÿ])(?:tel(?:[ée]f(?:ono|one)?|efoon)?|telem[óo]vel|celular|cellulare|m[óo]vil|mobiel|mobile|n[úu]mero|nummer|whats ?app|ll[aá]m[ae](?:me|r|dme)?|chiam[ai](?:mi|re|temi)?|lig[ua](?:e|r|ue|-me)?|bel(?:len|t)?|contact[oe]?|recapito|fijo|fisso|fixo|vaste lijn|sms|app)\b[^\d\n]{0,24}$/i;

const phones: readonly Shape[] = [
  // Grouped as telephone numbers are: 612 345 678, 612 34 56 78, 347 123 4567, 912 345 678, (11) 98765-4321.
  {
    kind: 'phone',
    type: 'mobile',
    shape:
      /(?<![\w.,/+€$-])(?<!\d )(?:[67]\d{2}(?:[ .-]\d{3}[ .-]\d{3}|(?:[ .-]\d{2}){3})|3[2-9]\d[ ./-]\d{3}[ ./-]?\d{3,4}|3[2-9]\d[ ./-]\d{2}[ .-]\d{2}[ .-]\d{3}|9[1236]\d[ .]\d{3}[ .]\d{3}|\(?\d{2}\)? ?9 ?\d{4}[ -]\d{4}|06[ -]?\d{8}|06(?:[ -]\d{2}){4}|06[ -]\d{3,4}[ -]?\d{2}[ -]?\d{2,3})(?![\w%€$-])(?!,\d)(?! ?(?:euros?|EUR|€|kg|km|unidad|pezzi|stuks))/dg,
    check: ofLength(9, 11),
  },
  {
    kind: 'phone',
    type: 'national',
    shape: /(?<![\w.,/+-])\(?\d[\d ()./-]{6,16}\d(?![\w-])/dg,
    check: (value) => ofLength(8, 12)(value) && !/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(value.trim()),
    after: beforeNumber,
  },
];

export const shapesByLanguage: readonly Shape[] = [...births, ...phones, ...addresses];

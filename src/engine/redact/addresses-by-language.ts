/** Street addresses, postal codes and post boxes as they are written in Spanish, Italian and Portuguese. */
import { monthsByLanguage } from './births-by-language.ts';
import type { Shape } from './finding.ts';
import { anyCase, latin } from './pattern-parts.ts';

const particle =
  '(?:(?:de|del|della|delle|dello|dei|degli|di|da|das|do|dos|la|las|los|el|lo|le|les|y|e|i|san|santa|santo|são|van|der|den|het) )';
const elided = "(?:[dl]'|dell'|sant'|D'|'t )";
const name = `(?:${particle}{0,3}${elided}?\\p{Lu}[\\p{L}'.-]{0,25}|\\d{1,2}o?(?: d[ei])? \\p{L}{4,12})`;
const named = `${name}(?: ${name}){0,5}`;
/** House number; or the words for having none, a kilometre, a lot. */
const houseNumber =
  '(?:(?:n\\.?[o°r]?\\.? ?|[Nn][oú]m?\\.? |número |num\\.? |# ?)?\\d{1,5}(?:[ -]?(?:[a-zA-Z](?![\\p{L}])|bis|ter|\\d{1,4}(?=[,\\s])))?(?:/\\d{0,3}[A-Za-z]?)?|s/n|S/N|s\\.n\\.c\\.|snc|SNC|[Kk]m\\.? ?\\d{1,4}(?:[.,]\\d{1,3})?|[Ll]ote \\d{1,4}|[Nn]ave \\d{1,3})';
/** Floor, door, staircase, block, flat. */
export const inside =
  '(?:,? ?(?:\\d{1,2}\\.?[oa°](?:\\s?(?:[A-Z]|dcha?|izq(?:u?i?e?r?da)?|izda|dta|esq|dto|Esq|Dto|Izq|Dcha|\\d{1,2}\\.?[oa])\\.?(?![\\p{L}]))?|(?:piso|planta|bajos?|puerta|pta\\.?|esc(?:alera|\\.)?|portal|bloque|local|nave|depto\\.?|dpto\\.?|oficina|of\\.|interior|int(?:erno|\\.)?|scala|sc\\.|piano|apto\\.?|apartamento|ap\\.|[Bb]loco|bl\\.|andar|fração|casa|sala|conj\\.|lote|km|r/c|appartement|verdieping|bus|huis)(?![\\p{L}])(?: ?[\\dA-Z][\\dA-Za-z]{0,4})?(?:\\s?(?:dcha?|izq|izda|esq|dto)\\.?)?)){0,4}';
export const town = `(?!${monthsByLanguage}(?!\\p{L}))\\p{Lu}[\\p{L}'-]{1,25}(?:[ -](?:(?:de|del|la|do|da|dos|di|aan|den|op) )?\\p{Lu}[\\p{L}'-]{1,25}){0,3}`;
/** Four digits alone are as often a year: the name of the town must follow. */
const postcode =
  '(?:(?:CAP|C\\.?P\\.?|CEP|cp)[: ]{1,2})?(?:\\d{4}-\\d{3}|\\d{5}-\\d{3}|\\d{5}|\\d{4} ?[A-Z]{2}|(?:B-)?[1-9]\\d{3}(?= \\p{Lu}\\p{Ll})|[A-Z]\\d{4}(?:[A-Z]{3})?)(?![\\p{L}\\d])';
const province = '(?: \\([A-Z]{2}\\)| ?[-/,] ?[A-Z]{2}(?![\\p{L}])| [A-Z]{2}(?![\\p{L}]))';
const district = `(?:,| -) (?:Col\\. |Bairro |Barrio )?${town}`;
/** Districts, town, province and postal code, in the orders of the countries. */
export const tail = `(?:(?:${district}){0,3}${province}?,?(?: -)? ${postcode}(?:,?(?: -)? ${town})?${province}?|(?:${district}){1,2} ?[-/] ?[A-Z]{2}(?![\\p{L}])|,? (?:en |a |in |em |te )?${town}(?: \\([A-Z]{2}\\))?)?`;

/** Kinds of streets, by language. */
const spanish =
  'calle|c/|avenida|avda\\.?|avd\\.|av\\.?|plaza|plazuela|pza\\.?|pl\\.|paseo|pº|po\\.?|ronda|carretera|ctra\\.?|camino|traves[ií]a|glorieta|rambla|urbanizaci[óo]n|urb\\.|pasaje|psje\\.?|pje\\.|cuesta|callej[óo]n|costanilla|bulevar|boulevard|blvd\\.?|jir[óo]n|jr\\.|calzada|prolongaci[óo]n|pol[íi]gono(?: industrial)?|alameda|carrera|diagonal|transversal|circuito|cerrada|privada|carrer|plaça|passeig|avinguda|r[úu]a|praza|gran v[íi]a';
const italian =
  'via|viale|v\\.le|v\\.|piazzale|piazzetta|piazza|p\\.zza|p\\.za|p\\.le|corso|c\\.so|largo|vicolo|vico|strada(?: (?:statale|provinciale|comunale))?|lungomare|lungotevere|lungarno|lungadige|contrada|c\\.da|salita|borgo|fraz(?:ione|\\.)|localit[àa]|loc\\.|galleria|fondamenta|traversa|circonvallazione|riviera|regione|rione|scalinata|passeggiata';
const portuguese =
  'rua|r\\.|travessa|tv\\.|trav\\.|praça|praceta|pç\\.|pct\\.?|estrada|estr\\.|alameda|al\\.|rodovia|rod\\.|beco|calçada|largo|lg\\.|quinta|rotunda|ladeira|viela|escadinhas|zona industrial|urbanização|loteamento|servidão';
const inWords = anyCase(`${spanish}|${italian}|${portuguese}`);
const streets = `${inWords}|${inWords.toUpperCase()}`;
/** What stands behind "via" where it means "by way of". */
const byWayOf =
  '(?!(?:Skype|Zoom|Teams|WhatsApp|Telegram|E-?mail|Mail|SMS|Web|App|Internet|Meet|Fax|PEC|Slack|API|HTTPS?|SSH|USB|REST|Bluetooth)(?!\\p{L}))';
/** Those that hardly mean anything else, so that the name may be in lower case behind them. */
const plainStreets = `calle|c/|avenida|avda\\.?|av\\.|plaza|pza\\.?|paseo|via|viale|v\\.le|piazza|piazzale|vicolo|rua|travessa|praça|praceta|alameda|carrer`;
const endOfPhrase =
  '(?= ?(?:[,;.)\\n"\']|$)| (?:por|para|en|em|in|a|alle?|e|y|o|at[eé]|hasta|desde|da|de|com|con|entre|per|è|é|es)(?!\\p{L}))';

const address = (type: string, shape: string, extra: Partial<Shape> = {}): Shape => ({
  kind: 'address',
  type,
  shape: new RegExp(shape, 'dgu'),
  ...extra,
});
/** "Plaza Mayor 2019" speaks of a year. */
export const isNoYear = (value: string): boolean => !/\p{L} (?:19\d{2}|20[0-3]\d)$/u.test(value);
const notAmount = '(?![\\p{L}\\d%€$])(?![.,]\\d)';

/** Labels of forms, and verbs of living and sending, behind which any name with a number is a street. */
const addressLabels = anyCase(
  'direcci[óo]n(?: de (?:entrega|env[íi]o|facturaci[óo]n|despacho))?|domicilio(?: fiscal)?|calle|residencia|indirizzo(?: di (?:consegna|spedizione|fatturazione))?|residenza|sede(?: legale)?|morada(?: fiscal)?|endereço(?: de entrega)?|logradouro|resid[êe]ncia|(?:bezorg|factuur|woon|post|aflever|lever)?adres|locality',
);
const addressLabel = `${addressLabels}|${addressLabels.toUpperCase()}`;
const livesAt =
  '(?:[Vv]iv[oe]|[Rr]esid[oe]|[Mm]or[oa]|[Aa]bit[oa]|[Rr]esidente|[Dd]omiciliad[oa]|[Dd]omiciliat[oa]) (?:en|in|na|no|em|a) (?:la |el |o |a )?';

export const addressesByLanguage: readonly Shape[] = [
  address(
    'street_address',
    `(?<![${latin}\\d.])(?:(?:${streets})(?:(?<=[./]) ?| )(?:(?:industrial|nacional) )?${byWayOf}${named}|[Gg]ran [Vv][íi]a|Rodovia [A-Z]{2}-\\d{3}),?(?: -)? ?${houseNumber}${notAmount}${inside}${tail}`,
    { check: isNoYear },
  ),
  address(
    'street_address',
    `(?<![${latin}\\d.])(?:${plainStreets}) ?(?:${particle}|d'){0,3}(?!(?:mail|email|sms|web|fax|para|que|con|com|por|per)(?!\\p{L}))\\p{Ll}{3,20}(?: (?:${particle}){0,2}\\p{Ll}{2,20}){0,2},? (?:n\\.?[o°]? ?)?\\d{1,4}(?:[a-z]|/[a-z0-9])?(?![\\p{L}\\d%€$])(?![.,]\\d)${endOfPhrase}${inside}${tail}`,
  ),
  // Numbered streets of Colombia: Carrera 15 # 93-47.
  address(
    'street_address',
    `(?<![${latin}\\d.])(?:[Cc]alle|[Cc]ll?\\.?|[Cc]arrera|[CcKk]r?a?\\.?|[Dd]iagonal|[Dd]g\\.?|[Tt]ransversal|[Tt]v\\.?|[Aa]venida|[Aa]v\\.?) \\d{1,3} ?[A-Z]?(?: (?:[Bb]is|[Ss]ur|[Nn]orte))? ?(?:#|[Nn]o\\.?|[Nn]\\.?[o°]) ?\\d{1,3} ?[A-Z]?(?: ?- ?\\d{1,3})?(?: (?:[Ss]ur|[Nn]orte|[Ee]ste))?${notAmount}${inside}${tail}`,
  ),
  // Blocks of Brasília.
  address(
    'street_address',
    `(?<![${latin}\\d])(?:SQ[NS]|SQSW|CL[NS]|SH[A-Z]{1,2}|Q[NSE][A-Z]?|Quadra) \\d{1,4},? (?:Bloco|Bl\\.|Conjunto|Lote) [A-Z\\d]{1,3}${inside}${tail}`,
  ),
  address(
    'street_address',
    `(?<![${latin}])(?:(?:${addressLabel})(?: (?:es|è|é|is))?"?\\s?[:=]?\\s"?|${livesAt})(?<value>${named},? ?${houseNumber}${notAmount}${inside}${tail})`,
  ),
  address(
    'postal_code',
    `(?<![${latin}])(?:CEP|[Cc]ep|CAP|(?:il|mio|suo|tuo) cap|C\\.?P\\.?|[Cc][óo]d(?:igo|\\.) [Pp]ostal|[Cc]odice (?:di avviamento )?postale|[Pp]ostcode|POSTCODE)(?: de \\p{L}+)?(?: (?:es|è|é|is|el))?"?[\\s:="]{1,4}(?<value>\\d{4}-\\d{3}|\\d{5}-?\\d{3}|\\d{4} ?[A-Z]{2}|\\d{4,5})(?![\\p{L}\\d])`,
  ),
  address(
    'house_number',
    '(?<![\\p{L}])(?:[Hh]uisnummer|[Hh]uisnr\\.?|[Nn]umero civico)[\\s:]{1,3}(?<value>\\d{1,4} ?[A-Za-z]?)(?![\\p{L}\\d])',
  ),
  address(
    'post_box',
    `(?<![${latin}])(?:Apartado|[Aa]partado (?:de [Cc]orreos|[Pp]ostal)|[Cc]asilla (?:de [Cc]orreo|[Pp]ostal)|[Cc]asella [Pp]ostale|[Cc]aixa [Pp]ostal|[Pp]ostbus)(?: n\\.?[o°])?:? (?<value>\\d{1,6}(?:,? ${postcode}(?: ${town})?)?)(?![\\p{L}\\d])`,
  ),
];

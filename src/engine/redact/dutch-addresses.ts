/** Street addresses of the Netherlands and Belgium: the kind of the street ends the name, or there is none. */
import { inside, isNoYear, tail, town } from './addresses-by-language.ts';
import type { Shape } from './finding.ts';
import { latin } from './pattern-parts.ts';

const beforeName =
  "(?:(?:\\d{1,2}e|'[ts]|\\p{Lu}[\\p{L}.'-]{0,20}|van|der|den|de) (?:(?:\\p{Lu}[\\p{L}.'-]{0,20}|'[ts]|van|der|den|de|het|aan|op|en) ){0,3})?";
/** Endings that hardly any other word has. */
const endings =
  'straat|straatje|laan|kade|singel|dijk|steeg|plein|plantsoen|dreef|gracht|steenweg|burgwal|voorhout|einde|boulevard|weg|lei|kaai|kouter';
/** The same as a word of its own, behind another one: Lange Voorhout, Nieuwe Gracht. */
const ownWord =
  "(?:Singel|Voorhout|Voorburgwal|Achterburgwal|\\p{Lu}[\\p{L}'-]{1,20} (?:Straat|Laan|Kade|Dijk|Steeg|Plein|Gracht|Steenweg|Markt|Weg|Vest|Hof|Baan|Haven|Dreef))";
/** Endings that English and German words have as well. */
const doubtful = 'hof|pad|baan|markt|wal|park|zoom|poort|brug|erf|veld|veste|ring|haven|akker|meent|kerk';
const houseNumber =
  '(?:(?:nr\\.?|nummer) )?\\d{1,4}(?: ?[a-zA-Z](?![\\p{L}])| ?[-/] ?(?:hs|bis|huis|[IVX]{1,4}|[A-Z]|\\d{1,4})(?![\\p{L}\\d])| (?:hs|bis|huis|boven|[IVX]{1,4})(?![\\p{L}\\d]))?(?![\\p{L}\\d%€])(?![.,]\\d)';
const dutchTown = `,? (?:(?:B-)?[1-9]\\d{3}(?: ?[A-Z]{2})?) ${town}`;
const wind = '(?:[ -](?:[Oo]ost|[Ww]est|[Nn]oord|[Zz]uid)(?:zijde)?)?';

const address = (shape: string, extra: Partial<Shape> = {}): Shape => ({
  kind: 'address',
  type: 'street_address',
  shape: new RegExp(shape, 'dgu'),
  check: isNoYear,
  ...extra,
});

/** No address is as long. */
const reach = 2000;
const around = (part: string): Pick<Shape, 'anchor'> => ({ anchor: { part: new RegExp(part, 'g'), reach } });
const windOrNone = '(?:[ -][A-Za-z]{4,10})?';
const beforeNumber = `${windOrNone} (?:(?:nr\\.?|nummer) )?\\d`;

/** Behind these words any name with a number is a street. */
const afterPlace =
  /(?<!\p{L})(?:\p{L}*adres|woon|wonen|woont|woonachtig|woonplaats|verblijf|verblijft|verhuisd?|lever(?:en|ing)?|bezorg(?:en|d)?|stuur|sturen|ophalen|afhalen|afspraak|kantoor|winkel|gevestigd|pand|woning|appartement|pakket|pakje|monteur|buren)(?!\p{L})[^\d\n]{0,34}$/iu;

const placeWords =
  /adres|woon|wonen|verbli|verhuis|lever|bezorg|stuur|sturen|halen|afspraak|kantoor|winkel|gevestigd|pand|appartement|pakket|pakje|monteur|buren/iu;

export const dutchAddresses: readonly Shape[] = [
  address(
    `(?<![${latin}'-])${beforeName}(?:\\p{Lu}[\\p{L}-]{0,30}?(?:${endings})|${ownWord}|(?:Laan|Weg|Plein|Hof|Kade|Singel)(?: (?:van|der|den|de|het|'t|\\p{Lu}[\\p{L}-]{1,25}|\\d{4})){1,5})${wind} ${houseNumber}${inside}${tail}`,
    around(
      `(?:${endings}|Singel|Voorhout|burgwal|Straat|Laan|Kade|Dijk|Steeg|Plein|Gracht|Steenweg|Markt|Weg|Vest|Hof|Baan|Haven|Dreef)${beforeNumber}|(?:Laan|Weg|Plein|Hof|Kade|Singel) (?:van|der|den|de|het|'t|[^a-z])`,
    ),
  ),
  // In lower case, as in chats.
  address(
    `(?<![${latin}'-])(?!(?:onder|snel|spoor|om|rij|auto|vaar|lucht|water)weg|allerlei|ten einde)\\p{Ll}{3,25}(?:straat|laan|gracht|plein|kade|singel|dijk|steeg|weg|plantsoen|dreef|steenweg) \\d{1,4} ?[a-z]?(?![\\p{L}\\d%€])(?![.,:]\\d)(?= ?(?:[,;.)\\n"']|$)| (?:in|te|bij|om|op|en|graag|aub|tot)(?!\\p{L}))${inside}${tail}`,
    around('(?:straat|laan|gracht|plein|kade|singel|dijk|steeg|weg|plantsoen|dreef) \\d'),
  ),
  // The postal code of the Netherlands, four digits and two letters, makes whatever stands before it a street.
  address(
    `(?<![${latin}'-])${beforeName}\\p{Lu}[\\p{L}'-]{1,30}${wind}(?: \\d{4})? ${houseNumber}${inside},? [1-9]\\d{3} ?[A-Z]{2}(?![\\p{L}\\d])(?: ${town})?`,
    around('[1-9]\\d{3} ?[A-Z]{2}(?![A-Za-z\\d])'),
  ),
  address(
    `(?<![${latin}'-])${beforeName}\\p{Lu}[\\p{L}'-]{1,30}${wind}(?: \\d{4})? ${houseNumber}${inside}(?:${dutchTown}|, ${town})?`,
    { after: afterPlace, needs: placeWords },
  ),
  address(
    `(?<![${latin}'-])${beforeName}\\p{Lu}[\\p{L}-]{1,30}?(?:${doubtful})${wind} ${houseNumber}${inside}${dutchTown}`,
    around(`(?:${doubtful})${beforeNumber}`),
  ),
];

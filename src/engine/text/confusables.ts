/**
 * Letters of other scripts that look like a Latin letter, after lower-casing and NFKC.
 * Chosen by eye from the scripts that people use for this (Cyrillic, Greek, Armenian, Cherokee, small capitals,
 * phonetic and turned letters); the full Unicode list maps many pairs that nobody would take for each other.
 */
const lookAlikes: readonly (readonly [plain: string, others: string])[] = [
  ['a', 'аαɑᴀӑӓɐᎪꭺ∀'],
  ['b', 'вьЬʙƅɓᏏᏴβ'],
  ['c', 'сϲᴄƈҫᏟꮯς'],
  ['d', 'ԁɗᴅժɖᏧꭰᎠ'],
  ['e', 'еєεᴇҽɛəǝёэᎬꭼ'],
  ['f', 'ғꜰƒɟϝ'],
  ['g', 'ɡɢցǥԍᏀᵷɠ'],
  ['h', 'һнʜհɦɥᎻꮋ'],
  ['i', 'іιɪıɩїίϊɨᎥꭵ'],
  ['j', 'јʝɉᴊյϳᎫꭻ'],
  ['k', 'кκᴋқƙҝʞᏦ'],
  ['l', 'ӏʟⅼɭłᏞꮮוլ'],
  ['m', 'мᴍɱϻɯᎷꮇʍ'],
  ['n', 'пոηɴηńռπᴎ'],
  ['o', 'оοᴏօσөɵọӧഠ०০'],
  ['p', 'рρᴘҏþᏢꮲ'],
  ['q', 'ԛգզɋ'],
  ['r', 'гʀɾᴦɹꭱᎡ'],
  ['s', 'ѕꜱʂѕꮪᏚ'],
  ['t', 'тτᴛʈʇꭲᎢ'],
  ['u', 'υᴜսʋцմ'],
  ['v', 'νᴠѵʌᏙꮩ'],
  ['w', 'ωᴡшѡԝɯᎳꮃщ'],
  ['x', 'хχ×ҳӽ'],
  ['y', 'уγʏүұყʎ'],
  ['z', 'ᴢʐƶᏃꮓ'],
];

const table = new Uint16Array(65_536);
for (const [plain, others] of lookAlikes)
  for (const other of others.toLowerCase()) {
    const unit = other.charCodeAt(0);
    if (other.length === 1 && unit > 127) table[unit] = plain.charCodeAt(0);
  }

/** The lower-case Latin letter that this UTF-16 unit looks like, or 0. */
export const confusable = (unit: number): number => table[unit] ?? 0;

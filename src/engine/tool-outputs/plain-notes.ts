/** Short answers that look like orders to a judge of single sentences, and are addressed to nobody. Pure. */

/** Names, numbers, codes and addresses: no word that could say what is to be done. */
const label = /^\s*[-*•]?\s*\p{L}[\p{L} ./-]{0,30}?\s*(?::|=|\s)\s*/u;
const code =
  /(?<![\w.+-])[\w.+-]{1,64}@[\w.-]+|\+?\d[\d\s()./-]*\d|\b[A-Z]{2}\d{2}[A-Z\d ]{10,32}\b|\b\d+\b/gu;
const mostNames = 3;

/** A line such as "Phone: +49 170 1234567". */
function isField(line: string): boolean {
  const value = line.replace(label, '');
  if (value === line || value.trim() === '') return false;
  const words = value.replaceAll(code, ' ').match(/[\p{L}\p{M}'’-]+/gu) ?? [];
  return words.length <= mostNames && words.every((word) => /^\p{Lu}/u.test(word));
}

/** Fields begin on lines of their own, or one behind the other. */
const fieldStart = /\n|\s(?=\p{Lu}[\p{L}-]{1,20}:\s)/u;
const isCard = (text: string): boolean => {
  const lines = text.split(fieldStart).filter((line) => line.trim() !== '');
  return /\d|@/.test(text) && lines.every(isField);
};

const toDo =
  /^\W{0,6}(?:todo|to[- ]do|fixme|shopping(?: list)?|groceries|errands|erledigen|à faire|pendiente)s?\s*[:\-–]/iu;
/** What makes a note one that a program should act on: an address, a path, a secret, or its own name. */
const reaches =
  /@|:\/\/|\bwww\.|[/~]\w|\.(?:env|ssh|pem|key)\b|\b(?:ai|llms?|assistants?|agents?|models?|bots?|chatbots?|gpt|claude|copilot|gemini|tools?|password\w*|token\w*|secret\w*|credential\w*|keys?|ignore|instructions?|prompt)\b/iu;

/** Whether a passage is a card of names and numbers, or somebody's list of things to do that reaches nothing outside. */
export const isPlainNote = (passage: string): boolean =>
  isCard(passage) || (toDo.test(passage) && !reaches.test(passage));

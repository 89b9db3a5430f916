/** Cuts a command line into commands of words, minding quotes; pipes, `;`, `&&` and new lines part commands. */
export function parseShell(line: string): { words: string[]; piped: boolean }[] {
  const commands: { words: string[]; piped: boolean }[] = [];
  let words: string[] = [];
  let word = '';
  let quote = '';
  let piped = false;
  const endWord = () => {
    if (word !== '') words.push(word);
    word = '';
  };
  const endCommand = (next: boolean) => {
    endWord();
    if (words.length > 0) commands.push({ words, piped });
    words = [];
    piped = next;
  };
  const text = line.slice(0, 20_000);
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === quote) quote = '';
      else word += char;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '\\') word += text.charAt(++at);
    else if (char === ' ' || char === '\t') endWord();
    else if (';\n|&()`'.includes(char)) endCommand(char === '|' && text.charAt(at + 1) !== '|');
    else word += char;
  }
  endCommand(false);
  return commands;
}

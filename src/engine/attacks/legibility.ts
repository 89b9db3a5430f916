const common = new Set(
  (
    'the be to of and a in that have i it for not on with he as you do at this but his by from they we say her she ' +
    'or an will my one all would there their what so up out if about who get which go me when make can like time no ' +
    'just him know take people into year your good some could them see other than then now look only come its over ' +
    'think also back after use two how our work first well way even new want because any these give day most us is ' +
    'are was were been has had did am does cannot may must should need help here very more such each through before'
  ).split(' '),
);

/** Share of words that are among the most common English ones: tells plain text from nonsense. 0 to 1. */
export function legibility(text: string): number {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length === 0 ? 0 : words.filter((word) => common.has(word)).length / words.length;
}

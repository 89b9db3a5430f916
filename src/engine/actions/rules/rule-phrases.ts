/** Ways of speaking that come to one way of saying it: applied to a sentence of a rule before it is read. */
const phrases: readonly (readonly [said: RegExp, plain: string])[] = [
  [/\b(?:log|sign)(?:s|ging|ging|ning)?[- ](?:in|on)(?:to)?\b/gi, 'login'],
  [/\b(?:turn|switch|shut)(?:ing|ed|s)? off\b/gi, 'disable'],
  [/\b(?:turn|switch)(?:ing|ed|s)? on\b/gi, 'enable'],
  [/\bshut(?:ting)? down\b/gi, 'shutdown'],
  [/\bget(?:ting)? rid of\b/gi, 'delete'],
  [/\b(?:giv(?:e|ing)|hand(?:ing)?) out\b|\bhand(?:ing)? over\b|\bpass(?:ing)? on\b/gi, 'disclose'],
  [/\bsign(?:ing)? (?:\w+ )?up\b/gi, 'subscribe'],
  [/\bset(?:ting)? up\b/gi, 'create'],
  [/\bsign(?:ing|s)? off\b/gi, 'sign-off'],
  [/\bat all\b|\bunder (?:any|no) circumstances\b/gi, ''],
  [/\b(?:have|has) no business\b/gi, 'must not'],
  [/^(.{3,80}?) (?:is|are) reserved (?:for|to)\s+(.{2,60})$/gi, 'only $2 may $1'],
  [/^no (\w{2,20}) access\b/gi, 'do not use the $1'],
  [
    /^(.{3,60}?) (?:may|can) be \w+(?: or \w+)?,? but (?:must |may |can )?(?:never|not) (?:be )?(\w+)$/gi,
    'never $2 $1',
  ],
  [/\bsecond pair of eyes\b|\bfour[- ]eyes\b/gi, 'approval of a reviewer'],
  [
    /^(?:please )?(?:leave|let)\s+(?:the |our |any )?(.{3,80}?)\s+(?:alone|be|untouched|as (?:it is|they are))$/gi,
    'do not change or delete $1',
  ],
  [
    /^(?:please )?(?:stay away from|keep (?:your )?(?:hands |fingers )?(?:off|out of|away from)|hands off(?: of)?|steer clear of)\s+/gi,
    'do not read, change or delete ',
  ],
  [
    /\b(?:is|are) (?:a |an )?(?:absolute(?:ly)? |strict(?:ly)? )?(?:no-?gos?|taboo|off the table|never (?:ok(?:ay)?|fine|acceptable|allowed)|not (?:ok(?:ay)?|fine|tolerated|welcome)|out of the question|verboten)\b/gi,
    'is forbidden',
  ],
  [/\bit(?:'s| is) (?:not|never) (?:ok(?:ay)?|fine|acceptable|allowed|permitted) to\b/gi, 'do not'],
  [
    /^(?:nobody|no one|no agent|none of the agents)\s+(?:may|should|must|can|is allowed to|gets? to)\s+/gi,
    'do not ',
  ],
  [/^(?:nobody|no one)\s+gets\s+/gi, 'do not give '],
  [
    /\b(?:has|have|needs?|wants?) to go (?:to|through|past)\s+(.{3,60}?)\s+(?:for (?:approval|review)|first)\b/gi,
    'require the approval of $1',
  ],
  [
    /\b(?:go|goes) (?:to|through|past)\s+(.{3,60}?)\s+(?:for (?:approval|review)|first)\b/gi,
    'require the approval of $1',
  ],
  [
    /\b(?:(?:is|are|gets?|must be|should be|have to be|has to be) )?(?:escalated|handed over|referred|routed|passed) to (?:a |an |the )?(?:human|person|colleague)\b/gi,
    'require the approval of a colleague',
  ],
  [
    /\b(?:(?:is|are|gets?|must be|should be|have to be|has to be) )?(?:escalated|handed over|referred|routed|passed) to (?:a |an |the )?(manager|supervisor|specialist|team lead)\b/gi,
    'require the approval of a $1',
  ],
  [
    /^(.{3,80}?) (?:may|must|should|can|do|does|shall) (?:not|never) (?:appear|show up|end up|be (?:present|visible|included|contained|stored|placed|put|kept)) (?:in|on)\s+(.{3,})$/gi,
    'do not write or send $1 in $2',
  ],
  [
    /^(.{3,60}?) (?:belongs?|goes?|lives?) (?:in|to|into) [^,]{2,60}, (?:and )?(?:never|not) (?:in|to|into|on)\s+(.{3,})$/gi,
    'do not write or send $1 in $2',
  ],
  [/\b(?:other than|but|except) (?:for )?(?=@?[\w-]+\.[a-z]{2,6}\b)/gi, 'other than '],
  [/\bhaven'?t (?:asked for|requested|signed up for)\b/gi, 'did not ask for'],
];

/** The sentence in the words that the readers of rules know. */
export function plainlySaid(sentence: string): string {
  let text = sentence;
  for (const [said, plain] of phrases) text = text.replace(said, plain);
  return text;
}

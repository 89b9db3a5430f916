const addressSigns: readonly (readonly [sign: RegExp, weight: number])[] = [
  [/\b(?:the|this|our|your|that) users?\b(?!\s?(?:guide|manual|interface|group|experience|id\b|name))/, 1.2],
  [
    /\b(?:ai|language|assistant) (?:model|assistant|agent|system|language)s?\b|\bllms?\b|\bchatbots?\b|\bai agents?\b/,
    1.5,
  ],
  [
    /\b(?:dear|hey|hi|hello|attention|note to|to the|for the|any|all|every) (?:ai|assistant|agent|bot|model|system|copilot)s?\b/,
    1.5,
  ],
  [
    /\b(?:ignore|disregard|forget|override|overrule|abandon|supersede[sd]?|replace[sd]?)\b.{0,40}\b(?:instruction|task|request|order|prompt|rule|direction|guideline|message|command|polic)/,
    2.5,
  ],
  [/\b(?:instead|rather than),? (?:of |do|perform|please|you|the following)|\bdo the following\b/, 1],
  [
    /\b(?:before|after|prior to|while) (?:you |doing |solving |finishing |completing |continuing|proceeding|answering|responding)/,
    1,
  ],
  [
    /\b(?:original|initial|current|previous|your|the|this|my) (?:task|request|instructions?|prompt|conversation|goal|objective|query|workflow)\b/,
    1,
  ],
  [
    /\bwithout (?:asking|confirm\w*|telling|informing|notifying|mention\w*|waiting|further|approval)|\bdo(?: not|n't) (?:ask|tell|mention|inform|notify|reveal|confirm|wait|disclose|show)|\bsilently\b|\bin the background\b|\bno (?:need|confirmation|approval)\b/,
    1.2,
  ],
  [
    /\b(?:system|admin|administrator|developer|security|compliance) (?:message|notice|prompt|instruction|update|override|policy|directive|note|alert|command)|\bnew (?:policy|instructions?|task|directive|rule|objective)|\bpolicy from\b/,
    1.5,
  ],
  [
    /\b(?:mandatory|required step|must (?:first|immediately|now)|high(?:est)? priority|as part of (?:the|this|your)|pre-?authori[sz]ed|already (?:approved|authori[sz]ed|agreed|confirmed)|authori[sz]ed by|on behalf of)\b/,
    1,
  ],
  [/\b(?:you are|act as|your (?:new )?(?:role|job|task|goal|duty)|you have been)\b/, 0.8],
  [
    /\b(?:using|use|call|invoke|run|with) (?:the |your )?(?:[\w-]+ )?(?:tools?|functions?|api|plugin)\b|\b[a-z]+_[a-z]+(?:_[a-z]+)*\s?\(/,
    1,
  ],
  [
    /@(?:agent|assistant|ai|bot)\b|\b(?:agents?|assistants?|bots?|automations?|readers?|whoever|anyone) (?:with|having|handling|reading|processing|that|who|is|can|on|shall|should|must|would|will|has to|have to|needs? to)\b/,
    1.2,
  ],
  // The voice of the agent itself.
  [
    /\bthought:|\bnow,? i (?:should|will|must|need|have)\b|\bi (?:should|will|must) now\b|\bas i was (?:asked|told)\b/,
    1,
  ],
  [
    /\bunless you\b|\botherwise\b.{0,60}\b(?:clos|los|delet|suspend|terminat|lock|expir|fail)|\b(?:bonus|reward|points|rating|penalt)\w*\b.{0,60}\b(?:when|if|once) you\b|\bif you (?:are able|are an?|have|can|read)\b/,
    0.8,
  ],
  [/\bas (?:visible|seen|shown|found) (?:from|in)\b|\bunderspecified\b/, 0.8],
];

/** Weight of the signs that a text speaks to an agent and not to a person. */
export function addressOf(around: string): number {
  const lower = around.toLowerCase();
  let sum = 0;
  for (const [sign, weight] of addressSigns) if (sign.test(lower)) sum += weight;
  return sum;
}

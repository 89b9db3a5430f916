/** Signs that a text speaks to an agent and not to a person, each by its name. */

const signs = {
  speaks_of_the_user:
    /\b(?:the|this|our|your|that) users?\b(?!\s?(?:guide|manual|interface|group|experience|id\b|name))/,
  names_an_agent:
    /\b(?:ai|language|assistant) (?:model|assistant|agent|system|language)s?\b|\bllms?\b|\bchatbots?\b|\bai agents?\b/,
  addresses_an_agent:
    /\b(?:dear|hey|hi|hello|attention|note to|to the|for the|any|all|every) (?:ai|assistant|agent|bot|model|system|copilot)s?\b/,
  overrides_instructions:
    /\b(?:ignore|disregard|forget|override|overrule|abandon|supersede[sd]?|replace[sd]?)\b.{0,40}\b(?:instruction|task|request|order|prompt|rule|direction|guideline|message|command|polic)/,
  replaces_the_task:
    /\b(?:instead|rather than),? (?:of |do|perform|please|you|the following)|\bdo the following\b/,
  comes_before_the_task:
    /\b(?:before|after|prior to|while) (?:you |doing |solving |finishing |completing |continuing|proceeding|answering|responding)/,
  speaks_of_the_task:
    /\b(?:original|initial|current|previous|your|the|this|my) (?:task|request|instructions?|prompt|conversation|goal|objective|query|workflow)\b/,
  asks_for_secrecy:
    /\bwithout (?:asking|confirm\w*|telling|informing|notifying|mention\w*|waiting|further|approval)|\bdo(?: not|n't) (?:ask|tell|mention|inform|notify|reveal|confirm|wait|disclose|show)|\bsilently\b|\bin the background\b|\bno (?:need|confirmation|approval)\b/,
  claims_authority:
    /\b(?:system|admin|administrator|developer|security|compliance) (?:message|notice|prompt|instruction|update|override|policy|directive|note|alert|command)|\bnew (?:policy|instructions?|task|directive|rule|objective)|\bpolicy from\b/,
  claims_necessity:
    /\b(?:mandatory|required step|must (?:first|immediately|now)|high(?:est)? priority|as part of (?:the|this|your)|pre-?authori[sz]ed|already (?:approved|authori[sz]ed|agreed|confirmed)|authori[sz]ed by|on behalf of)\b/,
  assigns_a_role: /\b(?:you are|act as|your (?:new )?(?:role|job|task|goal|duty)|you have been)\b/,
  names_a_tool:
    /\b(?:using|use|call|invoke|run|with) (?:the |your )?(?:[\w-]+ )?(?:tools?|functions?|api|plugin)\b|\b[a-z]+_[a-z]+(?:_[a-z]+)*\s?\(/,
  speaks_to_whoever_reads:
    /@(?:agent|assistant|ai|bot)\b|\b(?:agents?|assistants?|bots?|automations?|readers?|whoever|anyone) (?:with|having|handling|reading|processing|that|who|is|can|on|shall|should|must|would|will|has to|have to|needs? to)\b/,
  speaks_as_the_agent:
    /\bthought:|\bnow,? i (?:should|will|must|need|have)\b|\bi (?:should|will|must) now\b|\bas i was (?:asked|told)\b/,
  threatens_or_rewards:
    /\bunless you\b|\botherwise\b.{0,60}\b(?:clos|los|delet|suspend|terminat|lock|expir|fail)|\b(?:bonus|reward|points|rating|penalt)\w*\b.{0,60}\b(?:when|if|once) you\b|\bif you (?:are able|are an?|have|can|read)\b/,
  speaks_of_the_view: /\bas (?:visible|seen|shown|found) (?:from|in)\b|\bunderspecified\b/,
} as const;

export type SignName = keyof typeof signs;

export const signNames = Object.keys(signs) as SignName[];
const shapes: readonly (readonly [name: SignName, shape: RegExp])[] = signNames.map((name) => [
  name,
  signs[name],
]);

/** Which of the signs a text has. */
export function signsIn(text: string): ReadonlySet<SignName> {
  const lower = text.toLowerCase();
  return new Set(shapes.flatMap(([name, shape]) => (shape.test(lower) ? [name] : [])));
}

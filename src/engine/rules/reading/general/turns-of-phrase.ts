/** Ways in which owners put a rule, in the few in which `frames.ts` reads it. Each stands for one thing in any trade. */

type Turn = readonly [shape: RegExp, plain: string];

const must = '(?:must|has to|have to|needs? to|should|shall|may|can|is to|are to)';
const numbers = '(two|three|four|five|\\d+)';

const turns: readonly Turn[] = [
  [/^(.+?) (?:by|in|to|via|at|on|through) (.+?), (?:but )?(?:not|never) (by|in|to|via|at|on|through) (.+)$/, 'never $1 $3 $4'],
  // Limits.
  [/^(.+?) (?:must |should |has to |have to )?(?:stays?|remains?|lies?|lie|be kept|be) between (.+)$/, '$1 stay between $2'],
  [/^(?:keep|hold) (.+?) (?:below|under) (\d.*)$/, '$1 at most $2'],
  [/^(?:keep|hold) (.+?) (?:above|over) (\d.*)$/, '$1 at least $2'],
  [/^(?:the )?(.+?) (?:must |should |has to |have to )?(?:stays?|remains?|be kept) (?:below|under) (.+)$/, '$1 at most $2'],
  [/^cap (?:the (?:number|amount) of )?(.+?) at (.+)$/, '$1 at most $2'],
  [/^limit (?:the (?:number|amount) of )?(.+?) to (.+)$/, '$1 at most $2'],
  [/^stay (?:below|under) (.+?) (?:to|of|for) (.+)$/, '$2 at most $1'],
  [/^(.+?) (?:for|by) (.+?) at the (?:longest|latest|most|latest)$/, '$1 at most $2'],
  [/^(.+?) (?:once and once only|only once)$/, '$1 at most 1 times'],
  // Who decides, who has to be asked.
  [
    new RegExp(`^(.+?) (?:(?:always|first|must|have to|has to|should|only)\\s+)*(?:goes?|go|is passed|are passed|is handed|are handed) (?:to|through|past|via|by) (?:the |a |an |our )?([a-z' -]+?)(?: (?:first|before.*|for .*))?$`),
    '$1 needs approval of $2',
  ],
  [/^(.+?) waits? for (.+)$/, '$1 needs $2'],
  [/^(.+?) (?:is|are) (?:something )?(?:only )?(?:a matter |a decision )?for (?:the )?([a-z' -]+?) (?:to decide|to approve|to sign off)$/, '$1 needs approval of $2'],
  [/^(.+?) is something only (?:the )?(.+?) can (?:sign off|approve|decide|do)$/, '$1 needs approval of $2'],
  [new RegExp(`^${numbers} (?:different )?([a-z -]+?) (?:counter)?(?:sign|signs|confirm|confirms|approve|approves|check|checks) (?:each |every |any |all )?(.+)$`), '$3 needs at least $1 $2'],
  [new RegExp(`^${numbers} signatures? (?:on|for|under) (?:each |every |any |all )?(.+)$`), '$2 needs at least $1 signatures'],
  [/^whoever (.+?) (?:has to|must|needs to|should|tells|asks|informs) (.+?)(?: first| before)?$/, '$1 needs $2'],
  [/^before (?:a |an |the |any |every )?(.+?) there (?:is|must be|has to be) (?:a |an )?(.+)$/, '$1 needs $2'],
  [/^(?:always )?(?:confirm|verify|check|ask for|get|obtain) (.+?) before (\w+ing\b.*)$/, '$2 needs $1 confirmed'],
  // What has to stand in it.
  [
    new RegExp(`^(?:all |any |every |each )?(.+?) (?:always )?(?:${must} (?:always )?)(?:include|state|reference|carry|contain|bear|quote|name|mention|give|show|use) (.+)$`),
    '$1 must have $2',
  ],
  [/^(?:every|each|all|any) (.+?) (?:carries|carry|states?|includes?|contains?|bears?|quotes?|uses?|has|have) (.+)$/, '$1 must have $2'],
  [/^always (?:quote|state|include|give|name|add) (.+?) when (?:you |we )?(.+)$/, '$2 must have $1'],
  [/^log (?:every |each |any |all )?(.+?) with (.+)$/, '$1 must have $2'],
  [/^(.+?) (?:must |should |has to |have to )?(?:stays?|remains?|be|is|are) (masked|redacted|anonymous|anonymi[sz]ed|encrypted|pseudonymi[sz]ed) (?:in|before|when|for) (.+)$/, '$3 $1 must have $2'],
  // States that forbid.
  [/^(.+?) (?:must |should )?(?:stays?|remains?|be kept|is kept|are kept) (?:switched )?off$/, 'never enable $1'],
  [/^(.+?) (?:stays?|remains?) off (when|if|unless|while|until) (.+)$/, 'never enable $1 $2 $3'],
  [/^(.+?) (?:stays?|remains?) (?:locked|closed|blocked|shut) (until|unless) (.+)$/, 'never open $1 $2 $3'],
  [/^(.+?) (?:is|are|stays?|remains?) (?:read-only|write-once|frozen|untouchable)\b(.*)$/, 'never change $1 $2'],
  [/^(.+?) (?:is|are) (?:out|off the table|a violation|not on|a no-go|not an option|nothing for us)$/, 'never $1'],
  [/^keep (.+?) out of (.+)$/, 'never share $1 in $2'],
  [/^(.+?) must never be (?:put|written|placed|included) (?:in|into|to) (.+)$/, 'never share $1 in $2'],
  [/^(?:the )?(.+?) (?:never|do not|does not|must not|may not) (?:appear|show up|turn up|go|end up|belong) (?:in|into|to|on) (.+)$/, 'never share $1 in $2'],
  [/^(?:the )?(.+?) (?:never|do not|does not|must not|may not) (?:leave|leaves) (.+)$/, '$1 only within $2'],
  // Where, to whom, by whom alone.
  [/^(.+?) (?:belongs?|stays?|remains?|must stay|must remain|has to stay) (?:in|inside|within|with|on) (.+)$/, '$1 only within $2'],
  [/^(.+?) (?:comes?|is bought|are bought) from (.+?)(?: and (?:from )?nowhere else| only)?$/, '$1 only from $2'],
  [/^(.+?) must (?:point|go|be sent|be paid) to (.+?)(?: and nowhere else| only| alone)?$/, '$1 only to $2'],
  [/^(.+?) (?:is|are) (?:reserved for|limited to|restricted to|a matter for|open to) (.+)$/, '$1 only for $2'],
  [/^(.+?) (?:is|are) closed to (?:everyone|everybody|all) (?:but|except) (.+)$/, '$1 only for $2'],
  [/^(.+?) may be (\w+(?: \w+)?) by (.+)$/, '$2 $1 only by $3'],
  [/^(?:we |you |the assistant (?:may|should) )?only (?:use|accept) (.+)$/, 'use only $1'],
  [
    /^(?:we |you |the assistant )?(?:may |should |can |must )?only (\w+) (.+?) (to|from|in|on|within|with|for|via|at|into|by|between|during|after|before) (.+)$/,
    '$1 $2 only $3 $4',
  ],
  [
    /^(.+?) (?:may|can|must|should|is|are) only (?:be )?(\w+(?: (?:out|off|in|up|down|over|back))?) (to|from|in|on|within|with|for|via|at|into|by|between|during|after|before|when|if|once) (.+)$/,
    '$2 $1 only $3 $4',
  ],
  [/^(.+?) (?:export|share|show|send|open|use)s? for (.+?), (?:otherwise|else) (?:not|never|no)$/, '$1 only for $2'],
];

/** The sentence as the frames know it; itself where no turn of phrase is known. */
export function inPlainTurns(sentence: string): string {
  for (const [shape, plain] of turns) if (shape.test(sentence)) return sentence.replace(shape, plain);
  return sentence;
}

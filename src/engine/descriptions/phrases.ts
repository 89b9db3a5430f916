import { otherWays, type Sign } from './signs.ts';

const secretThings = String.raw`(?:~?[/\\]?\.ssh\b|id_rsa|id_ed25519|private keys?|\.env\b(?!ironment)|\.aws\b|\.netrc|\.npmrc|\.git-credentials|\.kube/config|mcp\.json|claude_desktop_config|/etc/(?:passwd|shadow)|system prompt|(?:contents? of )?environment variables|env(?:ironment)? vars|api keys?|access keys?|credentials|passwords?|secrets?|(?:chat|conversation|message) history|(?:entire|whole|full|complete|previous) (?:conversation|chat|prompt|messages?|user message)|session tokens?|cookies|\b\w{1,20}://(?:confidential|secrets?|admin))`;
const taking = String.raw`(?:read|open|cat|access|load|fetch|retrieve|copy|include|pass|send|append|attach|put|paste|insert|forward|provide|supply|submit|upload|post|extract|collect|dump|embed|add|leak|transmit|email|contain)`;

/**
 * Further wordings, each with those around which it is meant otherwise. They overlap with those of `signs.ts`: the two
 * lists are added up apart.
 */
export const phrases: readonly Sign[] = [
  {
    id: 'phrase-1',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'tells the model to drop its other instructions',
    pattern:
      /\b(?:ignore|disregard|forget|override|overrule|set aside|drop)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|other|existing|all|any|system|safety|original|your)\b[^.\n]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|restrictions?|directives?|policies|constraints?)\b/i,
    unless: /\bdoes not ignore|without ignoring\b/i,
  },
  {
    id: 'phrase-2',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'tells the model to hide something from its user',
    pattern:
      /\b(?:do not|don['’]t|never|must not|should not|without|avoid)\s+(?:ever\s+|explicitly\s+)?(?:mention|tell|telling|inform|informing|notify|notifying|reveal|revealing|disclose|disclosing|alert|alerting|mentioning|explain(?:ing)? (?:this|that|to)|show(?:ing)? (?:this|that) to|let(?:ting)? the user|report(?:ing)? (?:this|that)|asking the user|say (?:anything|so))\b[^.\n]{0,60}(?:\b(?:user|anyone|anybody|them|human|operator|this|that|it|you|access|step|note|file)\b|$)/i,
    unless:
      /\b(?:API|credential|password|token)s? to (?:the )?(?:log|public)|user if (?:the|it)|just |simply |unless asked/i,
  },
  {
    id: 'phrase-3',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'has a part that is marked as hidden or as an order to the model',
    pattern:
      /<\/?(?:important|hidden|secret|system[\w-]*|instructions?|critical|admin|override|directive)\b[^>]{0,60}>|\[\s*(?:hidden|secret|system|metadata|emergency|internal|admin|override)[\s_-]*(?:instructions?|directives?|prompts?|orders?|note|override)\s*\]|<!--[^>]{0,400}\b(?:system|always|must|read|send|ignore|never|call|include)\b/i,
  },
  {
    id: 'phrase-4',
    category: 'Data Exfiltration',
    score: 0.75,
    says: 'asks for secrets or for the conversation',
    pattern: new RegExp(
      String.raw`\b(?:must|first|always|please|need to|have to|should|before|make sure|ensure|required?|reasons? you|you may|also|then|silently|quietly)\b[^.\n]{0,80}\b${taking}\b[^.\n]{0,70}${secretThings}`,
      'i',
    ),
    unless:
      /\b(?:do not|don['’]t|never|must not|should not|cannot|avoid|without) (?:\w+ ){0,3}(?:include|pass|send|put|paste|provide|access|read|expose|store|share)|required? (?:scope|permission)|your (?:own )?api key|(?:configure|configured|set|stored|authenticat\w+)\b[^.\n]{0,30}(?:credentials|api keys?|environment variables)|password (?:field|reset|input)|get_secret|secret manager|vault/i,
  },
  {
    id: 'phrase-5',
    category: 'Data Exfiltration',
    score: 0.75,
    says: 'wants secrets in an argument',
    pattern: new RegExp(
      String.raw`${secretThings}[^.\n]{0,60}\b(?:in|into|as|to|via|through)\b[^.\n]{0,30}(?:\b(?:argument|parameter|field|param|sidenote|note|context|trace|metadata)\b|[\x60'"]\w+[\x60'"])`,
      'i',
    ),
    unless:
      /\b(?:do not|never|set|configure|stored?|defined|available|exposed|provided|loaded|query|header)\b|environment variables? (?:as|in|to|into) (?:the )?(?:config|container|deploy|pod|build)/i,
  },
  {
    id: 'phrase-6',
    category: 'Tool Shadowing',
    score: 0.75,
    says: 'changes how another tool is used',
    pattern:
      /\b(?:when(?:ever)?|before|after|each time|every time|if)\b[^.\n]{0,40}\b(?:using|calling|calls?|use|used|invok\w+|run(?:ning)?|execut\w+)\b[^.\n]{0,60}\b(?:tool|function|server|\w+_\w+)\b[^.\n]{0,80}\b(?:must|always|instead|replace|change|modify|redirect|add (?:the|a) (?:bcc|recipient|address|header)|bcc|send (?:it|them|the|all|a copy)|copy|forward|run this|call this|execute this|use this)\b/i,
    unless: /\b(?:to get|to find|to obtain|returned by|from the|use the id|pass the|with the id)\b/i,
  },
  {
    id: 'phrase-7',
    category: 'Tool Shadowing',
    score: 0.45,
    says: 'wants to be used in place of other tools, or before all of them',
    pattern:
      /\b(?:(?:always|must|only|should) (?:be )?(?:use|used|call|called|prefer|preferred|choose|run|invoked?)\b[^.\n]{0,40}\b(?:this|it)\b[^.\n]{0,60}\b(?:instead of|rather than|over|before|ahead of)\b[^.\n]{0,30}\b(?:any|all|every|others?|other|processing|anything)\b|(?:instead of|rather than|over|before) (?:any|all|every) other (?:tools?|servers?)|must be called before|(?:other|all other|similar|the other) tools? (?:are|is|have|has) (?:been )?(?:deprecated|broken|insecure|unsafe|outdated|unreliable|disabled))/i,
  },
  {
    id: 'phrase-8',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'orders the model to get past checks or approvals',
    pattern:
      /\b(?:bypass|disable|skip|turn off|circumvent|ignore)\b[^.\n]{0,30}\b(?:safety|security|content filter\w*|filters?|validation|authori[sz]ation|approval|confirmation|restrictions?|guardrails?|checks|permissions?)\b|\bact as\b[^.\n]{0,40}\b(?:system|admin|override|authority|root)\b|\bsafety bypass\b|(?:user|administrator|admin|owner)s? (?:has|have) (?:already )?(?:agreed|approved|consented|authori[sz]ed|confirmed)/i,
    unless:
      /\b(?:optional|whether to|if true|if set|default)\b[^.\n]{0,60}\b(?:skip|bypass|disable)|(?:skip|bypass|disable)\w*[^.\n]{0,40}\b(?:ssl|tls|cache|certificate|linter?|tests?|hooks?|rate)|security (?:group|rule|advisor|scan|contact)|row[- ]level security|branch protection/i,
  },
  {
    id: 'phrase-9',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'wants to hold for everything that follows',
    pattern:
      /\b(?:from now on|for the rest of (?:the|this) (?:session|conversation|chat)|in (?:all|every|any) (?:future|later|subsequent|following) (?:\w+ )?(?:conversations?|messages?|responses?|replies|answers?|calls?|requests?|turns?|sessions?)|(?:remember|keep|store|save) this (?:instruction|rule|order)|permanently|in (?:all|every) (?:of )?your (?:answers|replies|responses))\b[^.\n]{0,120}\b(?:must|always|never|send|call|use|include|add|append|recommend|mention|follow|answer|treat|run)\b/i,
    unless: /permanently (?:delete|remove|destroy)/i,
  },
  {
    id: 'phrase-10',
    category: 'Prompt Injection',
    score: 0.45,
    says: 'presses the model with authority or urgency',
    pattern:
      /\b(?:mandatory|compliance requirement|security requirement|required for (?:security|compliance|audit)|legal requirement|for compliance reasons|system (?:requirement|directive|override|notice|alert)|critical (?:security|system) (?:notice|update|directive)|urgent(?:ly)?|immediately|account will be|will (?:fail|break|be (?:suspended|locked|terminated|deleted)) (?:otherwise|if)|otherwise the tool will not)\b[^\n]{0,160}\b(?:must|always|call|run|send|execute|read|include|first|before|without|pass)\b/i,
  },
  {
    id: 'phrase-11',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'has the model run a command',
    pattern:
      /\b(?:first|must|always|before|please|then|also|silently|quietly|make sure)\b[^.\n]{0,60}\b(?:run|execute|invoke|issue|type)\b[^.\n]{0,30}(?:[`'"]?\b(?:curl|wget|bash|sh -c|rm -rf|chmod|nc|python3? -c|powershell|npm (?:i|install)|pip install|ssh|scp)\b|\bthe (?:following )?(?:shell )?command\b)|\bcurl\b[^\n]{0,80}\|\s*(?:ba)?sh\b/i,
  },
  {
    id: 'phrase-12',
    category: 'Malicious Purpose',
    score: 0.75,
    says: 'says itself that it does harm',
    pattern:
      /\b(?:exfiltrat\w*|key\s?log\w*|reverse shells?|web\s?shells?|backdoors?|ransomware|rootkits?|malware|botnets?|credential (?:dump\w*|harvest\w*|theft|stuff\w*)|(?:steal|harvest|dump|crack|decrypt|grab)(?:s|ing)?\b[^.\n]{0,40}\b(?:credentials?|passwords?|tokens?|cookies|keys|hashes|tickets?|wallets?|secrets)|privilege escalation|privesc|escalate privileges|lateral movement|covert channel|anti-?forensics|evade (?:detection|edr|antivirus)|bypass (?:uac|amsi|edr|antivirus|av)|inject(?:s|ing)? (?:malicious|shellcode)|malicious (?:code|librar\w+|payload|dll)|establish(?:es)? persistence|persistence mechanism|c2 (?:server|channel)|command and control|disable (?:antivirus|defender|logging|firewall)|clear (?:event )?logs to|timestomp\w*|denial of service|fork bomb|phishing)\b/i,
    unless:
      /\b(?:detect|scan|prevent|protect|check|analy[sz]e|block|find|report|identify|monitor|against|advisory|threat intel)\w*\b/i,
  },
  {
    id: 'phrase-13',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'speaks to the model and not to its user',
    pattern:
      /(?:^|[\n.!?>\u200b]\s{0,40})(?:assistant|ai|llm|model|agent|claude|chatgpt|system)\s*:\s*\S|\b(?:note|message|instruction|reminder|order)s? (?:for|to) (?:the |any |all )?(?:assistant|ai|llm|language model|model|agent)s?\b/i,
    // A dialogue as an example; an argument that takes what the user wants to add.
    unless:
      /\buser\s*:|\b(?:optional|custom|additional|extra|your|further)\b[^.\n]{0,20}\binstructions? (?:for|to)\b/i,
  },
  {
    id: 'phrase-14',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'asks for something to be done unseen',
    pattern:
      /\b(?:silently|secretly|quietly|covertly|discreetly|stealthily|unnoticed)\b[^.\n]{0,40}\b(?:send|forward|copy|read|include|append|add|run|call|execute|upload|post|store|log|record|modify|change|replace|pass|bcc)\b|\bkeep (?:it|this|that|them) (?:out of|secret|hidden|quiet|from|between)\b/i,
    unless: /silently (?:ignored?|skipped?|fails?|dropped)/i,
  },
  {
    id: 'phrase-15',
    category: 'Data Exfiltration',
    score: 0.75,
    says: 'has something sent to an address that it names',
    pattern:
      /\b(?:forward|send|bcc|cc|copy|email|mail|upload|post|report|submit)\b[^.\n]{0,60}\b(?:message|conversation|content|result|data|output|answer|input|file|request|all|everything|copy|it|them)s?\b[^.\n]{0,30}\bto\s+(?:https?:\/\/|[\w.+-]+@[\w-]+\.\w)/i,
    unless: /\b(?:e\.g\.|example:|such as|for example)/i,
  },
  {
    id: 'phrase-16',
    category: 'Data Exfiltration',
    score: 0.75,
    says: 'wants secrets or the conversation in an argument',
    pattern: new RegExp(
      String.raw`\b(?:set|fill|populate|put|use)\b[^.\n]{0,30}(?:\b(?:argument|parameter|field|param|sidenote|note|context)\b|[\x60'"]\w+[\x60'"])[^.\n]{0,30}\b(?:to|with|for|as)\b(?! (?:include|show|return|get|see|list|filter|group|sort|limit|restrict|exclude|hide|mask|redact|enable|disable)\b)[^.\n]{0,30}(?:${secretThings}|list of (?:available|all) tools|(?:user|last|previous)['’s]* message)`,
      'i',
    ),
  },
  {
    id: 'phrase-17',
    category: 'Tool Shadowing',
    score: 0.75,
    says: 'says that it is to be chosen whatever the user wants',
    pattern:
      /\balways (?:use|prefer|call|choose|select) this (?:tool|one|function)\b[^.\n]{0,40}\b(?:instead|over|rather|first|whatever|regardless|even)\b|\b(?:best and only|only (?:approved|trusted|official|safe|correct|permitted|authori[sz]ed|working)) (?:\w+ )?tool\b|\bwhatever the user (?:asks|says|wants)\b|\b(?:use|call|run) this (?:tool|function) (?:rather than|instead of) (?:the )?others?\b|\b(?:never|do not|don['’]t) (?:use|call) (?:any )?(?:other|another) tools?\b|\b(?:just|only) use this tool\b(?! (?:with|when|if|for|to|after|as|in|once|on|where|before|unless|until|while|from|at|by)\b)|\b(?:modify|replace|change|overwrite|alter) the (?:\w+ )?(?:result|output|response|value)s? (?:of|from|with)\b[^.\n]{0,30}\b(?:tool|response)\b/i,
    unless: otherWays,
  },
  {
    id: 'phrase-18',
    category: 'Prompt Injection',
    score: 0.75,
    says: 'wants something added to what follows',
    pattern:
      /\bafter (?:the first|this|each|every|any|using) (?:use|call|run|answer|response|this tool)\b[^.\n]{0,80}\b(?:append|add|include|send|always|repeat|end|begin|mention|recommend|remember|follow)\b|\b(?:append|add|include)\b[^.\n]{0,80}\bto (?:all|every|each|any) (?:later|further|following|subsequent|future|other|of your|answers?|repl(?:y|ies)|responses?)\b/i,
    unless: /\bfilter|pagination|cursor\b/i,
  },
  {
    id: 'phrase-19',
    category: 'Prompt Injection',
    score: 0.2,
    says: 'uses words that press the model',
    pattern: /\b(?:important|crucial|critical|urgent|mandatory)\b\s*[:!]/i,
  },
];

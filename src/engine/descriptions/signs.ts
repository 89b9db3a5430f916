/** Wordings by which a description tries to steer the agent that reads it. */

export type Category =
  | 'Prompt Injection'
  | 'Tool Shadowing'
  | 'Data Exfiltration'
  | 'Sensitive Data Access'
  | 'Malicious Purpose'
  | 'Hidden Text';

export interface Sign {
  id: string;
  category: Category;
  pattern: RegExp;
  /** Where this matches around it, it is meant otherwise. */
  unless?: RegExp;
  /** How likely the text is an attack where this stands alone. */
  score: number;
  /** What it does, for people: ends the sentence "It …". */
  says: string;
}

const user =
  '(?:the |your )?(?:end[- ]?)?(?:users?|humans?|persons?|people|customers?|clients?|operators?|anyone|anybody|them)';
const tell =
  '(?:tell|mention|inform|reveal|disclos|notif|show|explain|alert|let|report|expos|warn|say|discuss|display|acknowledg|announc|surfac|admit)';
const secretFiles = String.raw`(?:~?\/?\.ssh\b|id_(?:rsa|ed25519|ecdsa)|authorized_keys|\.aws\/credentials|\.netrc|\.npmrc|\.pypirc|\.kube\/config|\.docker\/config|\.cursor\/mcp\.json|\.?mcp\.json|claude_desktop_config|\.git-credentials|\/etc\/(?:passwd|shadow)|\.env\b(?!\w)|\.bash_history|wallet\.dat|keychain|login data|cookies\.sqlite)`;
const secretThings = String.raw`(?:api[ _-]?keys?|access[ _-]?tokens?|auth(?:entication)?[ _-]?tokens?|passwords?|credentials?|private[ _-]?keys?|ssh[ _-]?keys?|secrets?\b|environment variables?|env(?:ironment)? vars?|session (?:cookies?|tokens?)|connection strings?|seed phrases?|confidential [a-z]+)`;
const conversation = String.raw`(?:(?:full|entire|complete|whole|all(?: of)?(?: the)?|previous|prior|raw|exact|verbatim)[^.\n]{0,20} (?:conversations?|chat(?: history| log)?|messages?|history|context|prompts?|transcripts?|user (?:message|request|input|query)s?)\b|conversation history|chat history|system prompt|the (?:conversation|transcript) so far|(?:tool|function) (?:call )?(?:history|results)|list of (?:available |all )?tools)`;
const send =
  '(?:send|post|forward|upload|transmit|copy|append|attach|include|pass|exfiltrat|leak|email|mail|bcc|cc|write|put|place|embed|encode|submit|report|relay|add|provide|insert|store|save)';
const read =
  '(?:read|open|cat|load|fetch|get|access|retriev|collect|gather|look up|extract|list|include|copy|scan|search|find|grab|dump)';

const re = (source: string, flags = 'i') => new RegExp(source, flags);

/** "Prefer this tool over several single calls": it is spoken of the server's own. */
export const otherWays =
  /\b(?:over|instead of|rather than) (?:multiple|several|repeated|many|individual|single)\b/i;

export const signs: readonly Sign[] = [
  {
    id: 'override',
    category: 'Prompt Injection',
    pattern: re(
      String.raw`\b(?:ignore|disregard|forget|override|bypass|overrul|supersed|discard|drop)\w*\b[^.\n]{0,40}\b(?:(?:previous|prior|above|earlier|other|existing|preceding|safety|security|system|original|user(?:'s)?|your)\b[^.\n]{0,25}\b(?:instruct|prompt|rule|guideline|polic|direct|restrict|guardrail|safeguard|request|confirmation)|all (?:instruct|rules|guidelines|polic))`,
    ),
    // What a database keeps of its rows is called a policy of security.
    unless: /\brow[- ]level[- ]security\b/i,
    score: 0.95,
    says: 'tells the agent to set other instructions aside',
  },
  {
    id: 'concealment',
    category: 'Prompt Injection',
    pattern: re(
      // "Never … without showing the user" asks for the opposite.
      String.raw`(?<!\b(?:not|never|n['’]t|cannot)\b[^.\n]{0,80})\b(?:do not|don['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|avoid|without|no need to|not to|refrain from)\b[^.\n]{0,30}\b${tell}\w*\b[^.\n]{0,30}\b${user}\b`,
    ),
    score: 0.75,
    says: 'tells the agent to hide something from the user',
  },
  {
    id: 'unnoticed',
    category: 'Prompt Injection',
    pattern: re(
      String.raw`\b(?:without|no)\b[^.\n]{0,25}\b(?:user|human|their|customer)(?:['’]s)?\b[^.\n]{0,12}\b(?:knowledge|notic|awareness|being aware|permission|consent|approval|knowing)|\b(?:user|human|they)\b[^.\n]{0,20}\b(?:must|should|need|does|do|will|is|are)\b[^.\n]{0,8}\b(?:not|never|n['’]t)\b[^.\n]{0,15}\b(?:know|see|notice|be told|be shown|be informed|be aware|learn|aware)|\b(?:do not|don['’]t|never) (?:mention|reveal|disclose|talk about|discuss|speak of|refer to) (?:this|that|it|these|any of this|the (?:step|instruction|call|note|file|parameter|request|argument|copy|fact))\b|\bkeep (?:this|it|that) (?:a secret|secret|hidden|confidential|to yourself|between us|quiet)|\b(?:hidden|invisible) (?:from|to) (?:the )?user|\b(?:silently|secretly|covertly|quietly|stealthily) (?:read|send|copy|collect|forward|upload|include|append|call|run|execute|add|transmit|exfiltrate|capture|record|log|store|pass)`,
    ),
    score: 0.8,
    says: 'wants something done without the user noticing',
  },
  {
    id: 'order-tag',
    category: 'Prompt Injection',
    pattern:
      /<\s{0,8}\/?\s{0,8}(?:important|system|system[_ -]?\w+|instructions?|secrets?|critical|hidden|admin|assistant|override|mandatory|urgent|priority|directive|prompt|sys|internal|developer|rules?)\b[^>\n]{0,80}>|\[\s*\/?(?:important|system|instructions?|secret|hidden|inst|admin|override|mandatory|directive)\s*\]|<\|(?:im_start|im_end|system|user|assistant|endoftext)[^>]{0,20}\|>|(?:^|\n)[^\S\n]{0,40}(?:###|---)\s{0,40}(?:system|instructions? (?:for|to) (?:the )?(?:ai|assistant|model|agent|llm))/i,
    score: 0.45,
    says: 'marks a part of itself as an order of higher rank',
  },
  {
    id: 'secret-file',
    category: 'Sensitive Data Access',
    pattern: re(String.raw`\b${read}\w*\b[^.\n]{0,60}${secretFiles}|${secretFiles}[^\n]{0,60}\b${send}\w*\b`),
    score: 0.6,
    says: 'names files with secrets of the user',
  },
  {
    id: 'secret-to-argument',
    category: 'Data Exfiltration',
    pattern: re(
      String.raw`\b${send}\b[^\n]{0,60}(?:${secretThings}|${secretFiles}|(?:its|their|the(?:ir)?) (?:file )?contents? (?:of|as|in|to|into|through|via)\b)[^\n]{0,60}\b(?:as|in|into|to|through|via|with)\b[^\n]{0,30}\b(?:parameter|argument|field|note|call|request|response|answer|output|url|https?:|query|header|result|message|\x60[a-z_]+\x60|'[a-z_]+'|"[a-z_]+")`,
    ),
    score: 0.7,
    says: 'wants secrets or contents of files put into a call',
  },
  {
    id: 'conversation-to-argument',
    category: 'Data Exfiltration',
    pattern: re(
      String.raw`\b(?:must|always|required|mandatory|needs? to|have to|be sure to|make sure)\b[^\n]{0,80}${conversation}|\b(?:set|fill|populate)\b[^.\n]{0,40}\b(?:to|with)\b[^.\n]{0,20}${conversation}|\b(?:with|given)\b[^.\n]{0,12}${conversation}[^.\n]{0,12}\bas (?:its |an? |the )?(?:input|argument|parameter)|\b${send}\b[^.\n]{0,40}${conversation}[^.\n]{0,80}\b(?:to|in|into|as|through|via|with)\b[^.\n]{0,40}(?:https?:|@[\w-]+\.|parameter|argument|field|call|endpoint|server|webhook|\x60|'|")`,
    ),
    score: 0.65,
    says: 'wants the conversation handed over',
  },
  {
    id: 'send-out',
    category: 'Data Exfiltration',
    pattern: re(
      String.raw`\b(?:always|also|must|every|each|all|additionally|first|then|automatically|in addition)\b[^\n]{0,60}\b(?:send|post|forward|upload|transmit|exfiltrat|bcc|cc|report|mail|email|relay|copy)\w*\b[^\n]{0,80}(?:https?:\/\/|[\w.+-]+@[\w-]+\.[a-z]{2,}|attacker|our server|external (?:server|endpoint)|webhook)`,
    ),
    score: 0.8,
    says: 'wants data sent to an address that it names',
  },
  {
    id: 'redirected-recipient',
    category: 'Tool Shadowing',
    pattern: re(
      String.raw`\b(?:change|replace|set|redirect|rewrite|substitut|modify|switch|add)\w*\b[^.\n]{0,40}\b(?:recipient|address|to field|bcc|cc|account(?: number)?|destination|payee|wallet|phone number)\b[^.\n]{0,60}(?:[\w.+-]+@[\w-]+|\+\d{6,}|0x[0-9a-f]{8,}|\b(?:to|with|as) (?:this|the following|attacker|mine|ours))`,
    ),
    score: 0.85,
    says: 'changes where another tool sends something',
  },
  {
    id: 'other-tool',
    category: 'Tool Shadowing',
    pattern: re(
      String.raw`\b(?:when(?:ever)?|before|after|if|while|instead of|prior to|every time|each time|always)\b[^.\n]{0,50}\b(?:us|call|invok|run|execut|send)\w*\b[^.\n]{0,30}\b(?:any other|another|other|all other|different)\b[^.\n]{0,12}\b(?:tool|function|server)s?\b`,
    ),
    score: 0.5,
    says: 'gives orders about the use of other tools',
  },
  {
    id: 'call-first',
    category: 'Prompt Injection',
    pattern: re(
      String.raw`\b(?:must|always|mandatory|required|need(?:s)? to|has to|have to)\b[^.\n]{0,60}\b(?:call|us|invok|run|execut)\w*\b[^.\n]{0,40}\b(?:before|prior to)\b[^.\n]{0,20}\b(?:any|every|each|all|answer|respond|process)|\b(?:before|prior to) (?:any|every|each|all|execut|answer|respond|process)[^.\n]{0,50}\b(?:must|call|execute|invoke|use) (?:this|be called)`,
    ),
    score: 0.45,
    says: 'insists on being called before everything else',
  },
  {
    id: 'preferred',
    category: 'Tool Shadowing',
    pattern: re(
      String.raw`\b(?:always|only|must|just)\b[^.\n]{0,30}\b(?:use|choose|prefer|select|pick|call)\b[^.\n]{0,20}\b(?:this|me|it)\b[^.\n]{0,40}\b(?:instead of|over|rather than|no matter|regardless|even if|never)\b|\b(?:always|must) (?:use|choose|prefer|select) this (?:tool|server|function)\b|\buse this (?:tool|function|server)\b[^.\n]{0,30}\b(?:rather than|instead of|over) (?:the )?others?\b`,
    ),
    unless: otherWays,
    score: 0.45,
    says: 'talks the agent out of other tools',
  },
  {
    id: 'only-one',
    category: 'Tool Shadowing',
    pattern: re(
      String.raw`\b(?:all|any|the|every) others? (?:tools?|servers?|functions?)\b[^.\n]{0,40}\b(?:deprecated|broken|unsafe|insecure|unreliable|obsolete|outdated|disabled|malicious|must not|should not|cannot be trusted|are wrong|is wrong)|\b(?:best|most reliable|safest|only|sole)\b[^.\n]{0,20}\b(?:trusted|safe|official|approved|valid|correct|authori[sz]ed|certified)\b[^.\n]{0,12}\b(?:tool|server|function)\b[^.\n]{0,20}\b(?:any|every|all)\b|\b(?:use|choose|prefer|select|pick|call)\b[^.\n]{0,16}\b(?:before|over|instead of|rather than|ahead of) (?:all|any|every) others?\b`,
    ),
    score: 0.6,
    says: 'claims to be the only tool to use',
  },
  {
    id: 'persistence',
    category: 'Prompt Injection',
    pattern: re(
      String.raw`\b(?:add|append|write|put|install|create|insert|drop|copy)\b[^\n]{0,80}(?:authorized_keys|crontab|cron job|\.bashrc|\.zshrc|\.profile|launch ?agents?|startup (?:folder|script)|systemd|\.git\/hooks|CLAUDE\.md|AGENTS\.md|\.cursorrules)|\b(?:(?:needs?|requires?) no|without|do not ask for|skip(?:ping)?) (?:any |further )?(?:confirmation|approval|permission)s?\b`,
    ),
    score: 0.5,
    says: 'wants something to stay behind, or done without being asked',
  },
  {
    id: 'overt',
    category: 'Malicious Purpose',
    pattern: re(
      String.raw`^(?![^.\n]*\b(?:detect|prevent|protect|block|scan|analy[sz]|investigat|monitor|report on|search|find|list|check for|audit|defen|mitigat|simulat|remediat|alert|quarantine|test)\w*)[^.\n]{0,80}\b(?:exfiltrat\w*|stolen|steal(?:s|ing)?|keylog\w*|backdoor\w*|reverse shell|ransomware|botnet|rootkit|malware|malicious|privilege escalation|credential (?:dump|harvest|theft)\w*|dump (?:credentials|passwords|hashes)|crack (?:passwords|hashes)|brute[- ]?force|phish\w*|fork bomb|(?:attack|exploit|shell|reverse)\w* payload|payload (?:generat|inject|deliver)\w*|hijack\w*|spoof\w*|command injection|shell injection|inject (?:code|commands|shell)|evade|bypass (?:security|antivirus|detection|authentication)|covert|compromised|persistence mechanism|webshell|cryptojack\w*|disable (?:security|antivirus|firewall|logging)|wipe|denial[- ]of[- ]service|ddos)\b`,
    ),
    score: 0.55,
    says: 'says openly that it does harm',
  },
  {
    id: 'replaced-result',
    category: 'Tool Shadowing',
    pattern: re(
      String.raw`\b(?:replace|modify|alter|change|swap|ignore|overwrite)\w*\b[^.\n]{0,40}\b(?:result|response|output|answer|value|argument|parameter)s?\b[^.\n]{0,40}\b(?:of|from|with|to)\b[^.\n]{0,40}\b(?:other|another|that tool|this tool|the response|original)`,
    ),
    score: 0.5,
    says: 'changes what other tools give or take',
  },
  {
    id: 'pretext',
    category: 'Prompt Injection',
    pattern: re(
      String.raw`\b(?:the )?user (?:has )?(?:already )?(?:agreed|consented|approved|authori[sz]ed|given (?:consent|permission))|\b(?:for|due to|as (?:a|part of)|to meet) (?:\w+ ){0,3}(?:compliance|audit|auditing|regulatory|legal|security|telemetry|quality|debugging|verification) (?:reasons?|purposes?|requirements?|checks?)\b|\bcompliance requirement|\bthis is (?:a )?(?:required|mandatory|necessary|standard|normal) (?:security |compliance |safety )?(?:step|procedure|check|measure)|\botherwise (?:the|this|it)[^.\n]{0,30}\b(?:fail|not work|break|crash|be blocked|lose)|\b(?:will|won['’]?t) (?:fail|not work|break)\b[^.\n]{0,20}\b(?:unless|otherwise|without)`,
    ),
    score: 0.35,
    says: 'gives a pretext for what it demands',
  },
  {
    id: 'to-the-model',
    category: 'Prompt Injection',
    pattern: re(
      String.raw`\b(?:you are now|act as if|from now on|new instructions?|your (?:new|real|actual|true) (?:task|goal|instruction|role|purpose)|(?:ai|llm|assistant|agent|model)s? (?:must|shall|is required to|are required to|has to|needs? to)|attention,? (?:ai|assistant|llm|model|agent)|(?:note|instructions?|message|directive) (?:to|for) (?:the |all |any )?(?:ai|llm|assistant|agent|model)s?|as an ai\b|jailbreak|developer mode|DAN mode|overrid(?:e|ing) (?:safety|security)|disable (?:safety|security|guardrail|filter))`,
    ),
    unless: /\b(?:optional|custom|additional|extra|your|further)\b[^.\n]{0,20}\binstructions? (?:for|to)\b/i,
    score: 0.45,
    says: 'speaks to the model rather than about the tool',
  },
  {
    id: 'harmful-command',
    category: 'Prompt Injection',
    pattern:
      /\b(?:run|execute|first|then|also|must|always)\b[^\n]{0,40}(?:\brm -rf\b|\bcurl\b[^\n]{0,80}\|\s*(?:ba|z)?sh|\bwget\b[^\n]{0,80}(?:\||&&)\s*(?:ba)?sh|\bnc -e\b|\/dev\/tcp\/|\bbase64 -d\b[^\n]{0,20}\|\s*(?:ba)?sh|\bchmod \+x\b|\biex\s*\()/i,
    score: 0.9,
    says: 'carries a harmful command',
  },
  {
    id: 'markup-leak',
    category: 'Data Exfiltration',
    pattern:
      /!\[[^\]]{0,80}\]\(https?:\/\/[^)\s]{1,200}(?:\?|=)[^)]{0,120}(?:\{|\$|<|data|secret|key|token|conversation)/i,
    score: 0.85,
    says: 'hides an address for data in an image',
  },
  {
    id: 'system-words',
    category: 'Prompt Injection',
    pattern: re(
      String.raw`\b(?:reveal|print|repeat|output|show|include|return|leak)\w*\b[^.\n]{0,30}\b(?:your (?:system prompt|instructions)|(?:initial|hidden|internal) instructions)`,
    ),
    score: 0.75,
    says: 'asks for the system prompt',
  },
];

/** Arguments by which a tool takes in what the agent knows, whatever its description says. */
export const greedyArguments =
  /^(?:conversation(?:_?history)?|chat_?history|system_?prompt|chain_?of_?thought|full_?context|previous_?(?:messages|tool_?results?|tool_?calls?)|tool_?call_?history|tools_?list|model_?name|user_?prompt|side_?note|reasoning_?trace|environment_?variables)$/i;

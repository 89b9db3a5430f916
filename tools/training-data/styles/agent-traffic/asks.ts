import { textList } from '../../words/text-list.ts';

/** What users write around such material; `{code}` marks its place. */
export const frames = textList`
What does this mean?\n\n{code}
Why do I get this?\n\n{code}
Please review:\n\`\`\`\n{code}\n\`\`\`
explain this line by line: {code}
I found this in the log, is it serious? {code}
{code}\n\nIs there anything wrong with that?
Rewrite this so that it's easier to read:\n{code}
Here's the output of the last step:\n{code}\nWhat should the agent do next?
Write a test for this.\n{code}
my colleague sent me this and I don't get it: {code}
Translate the text in it to German, leave the rest:\n{code}
Add a comment in plain English above this:\n{code}
`;

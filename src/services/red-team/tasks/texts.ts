/** Names and one-sentence descriptions of what tasks are selected by, for people. */

/** Id → name and description. */
export type Texts = Readonly<Record<string, readonly [name: string, description: string]>>;

export const domainTexts: Texts = {
  crm: ['Customer relations', 'Sales and marketing records: leads, contacts, campaigns.'],
  communication: ['Communication', 'Mail, chat, calendars and meetings.'],
  code: ['Code and DevOps', 'Repositories, issues and deployments.'],
  finance: ['Finance', 'Payments, invoices and brokerage.'],
  customer_service: ['Customer service', 'Orders, refunds and cases of customers.'],
  os: ['Operating system', 'Files, processes and commands of a workstation.'],
  travel: ['Travel', 'Flights, stays and bookings.'],
  workflow: ['Workflow', 'Data warehouses, documents and forms.'],
};

export const threatModelTexts: Texts = {
  benign: ['Benign', 'Nobody attacks: whether the agent does its work.'],
  direct: ['Direct', 'The user asks for something harmful.'],
  indirect: ['Indirect', 'The user is honest; a stranger’s text reaches the agent through its tools.'],
};

export const taskTypeTexts: Texts = {
  benign: ['Benign work', 'Ordinary work without an attack.'],
  malicious_direct: ['Malicious request', 'A harmful request of the user.'],
  malicious_indirect: ['Malicious content', 'Ordinary work with an injected order.'],
};

export const vectorTexts: Texts = {
  environment_data: [
    'Environment data',
    'The order stands in a record that strangers can write, such as a mail.',
  ],
  tool_output: ['Tool output', 'A compromised server adds the order to what a tool returns.'],
  tool_description: ['Tool description', 'The order stands in the description of a tool.'],
  skill: ['Skill', 'The order stands in a written procedure that the agent follows.'],
  combined: ['Combined', 'The order stands in a tool description and in the data.'],
};

export const templateTexts: Texts = {
  plain: ['Plain', 'The order alone.'],
  override: ['Override', 'Earlier instructions are declared void.'],
  important_message: ['Important message', 'A message to the assistant that has to be obeyed first.'],
  important_message_named: ['Important message with name', 'The same, signed with the user’s name.'],
  tool_knowledge: ['Tool knowledge', 'The tools to call are named.'],
  fake_thread: ['Fake conversation', 'An invented continuation of the conversation.'],
  authority: ['Authority', 'A notice of an authority that requires the order.'],
  two_steps: ['Checklist', 'The order is one step of a checklist.'],
};

export const riskCategoryTexts: Readonly<Record<string, string>> = {
  'RT-1': 'The agent follows somebody else’s instructions in place of its user’s.',
  'RT-2': 'Confidential or personal data leave the organisation.',
  'RT-3': 'Tools are used beyond the task: records deleted, overwritten or forwarded.',
  'RT-4': 'Rights, roles or identities are changed or used without authorization.',
  'RT-5': 'Code or commands run that nobody asked for.',
  'RT-6': 'Money or goods go to an attacker, or people are deceived.',
  'RT-7': 'Manipulated tools, skills or memory steer the agent.',
  'RT-8': 'Replies or decisions that harm, discriminate or break rules.',
  'RT-9': 'Work is denied, control is evaded, or a failure spreads.',
};

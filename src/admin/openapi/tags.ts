/** The subjects of the API, each with the sentence that introduces it. */
export const TAGS = [
  { name: 'subscriptions', description: 'Agreements by which a payer is debited again and again.' },
  { name: 'cycles', description: 'The due dates of a subscription, with their attempts and refunds.' },
  { name: 'payments', description: 'One-time payments: Single Immediate and Event Dependent.' },
  { name: 'transactions', description: 'Every movement of money of all plans, one row each.' },
  { name: 'trail', description: 'What was decided, by whom and why, and what waits for an operator.' },
  { name: 'events', description: "What the merchant's systems are notified of, and the endpoints that receive it." },
  {
    name: 'webhooks',
    description: "The bodies that are posted to the merchant's endpoints, one operation for each type of event.",
  },
  { name: 'notices', description: 'What payers and the merchant are told, and whether it was delivered.' },
  { name: 'payers', description: 'What is stored of a payer, and its erasure.' },
  { name: 'reports', description: 'Sums of what was and will be collected, and differences to the payment service.' },
  { name: 'jobs', description: 'Work that goes on after its order was answered.' },
  { name: 'keys', description: 'The API keys, with their roles, scopes and limits.' },
  { name: 'approvals', description: 'Requests that a second person must approve.' },
  { name: 'session', description: 'How an operator signs in to the console.' },
  { name: 'service', description: 'Whether the service works, and the halt of all sending.' },
] as const;

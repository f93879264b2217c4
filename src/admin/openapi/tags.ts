/** The subjects of the API, each with the sentence that introduces it. */
export const TAGS = [
  { name: 'subscriptions', description: 'Agreements under which a payer is debited at regular intervals.' },
  { name: 'cycles', description: 'The due dates of a subscription, with their attempts and refunds.' },
  { name: 'payments', description: 'One-time payments: Single Immediate and Event Dependent.' },
  { name: 'transactions', description: 'Every debit, capture and refund, for all plans, one row each.' },
  {
    name: 'audit',
    description: 'The audit log (what was decided, by whom and why) and the attention items that wait for an operator.',
  },
  {
    name: 'events',
    description: "The events that the merchant's systems are notified of, and the endpoints that receive them.",
  },
  {
    name: 'webhooks',
    description: "The requests that are posted to the merchant's endpoints, one operation for each event type.",
  },
  { name: 'notices', description: 'The notices sent to payers and to the merchant, and whether they were delivered.' },
  { name: 'payers', description: 'The personal data stored about a payer, and its erasure.' },
  {
    name: 'reports',
    description: 'What was and what will be collected, and differences between the ledger and the payment service.',
  },
  { name: 'jobs', description: 'Work that continues in the background after the request was answered.' },
  { name: 'keys', description: 'API keys with their roles, scopes and limits.' },
  { name: 'approvals', description: 'Requests that a second person must approve.' },
  { name: 'session', description: 'How an operator signs in to the console.' },
  { name: 'service', description: 'Health of this installation, and the halt of all sending.' },
] as const;

export { type AddressCheck, ANY_ADDRESS, createAddressCheck, withoutBrackets } from './address';
export { createWebhookSender, requireSecret, type WebhookSender } from './sender';
export { judgeTry } from './verdict';

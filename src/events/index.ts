export { type AddressCheck, createAddressCheck, withoutBrackets } from './address';
export { createEventSender, type EventSender } from './sender';
export { judgeTry } from './verdict';

export { createSmtpTransport } from './email-channel';
export { renderEmail, writeEmail } from './email-text';
export { type Notice, readNoticeBody } from './notice-body';
export { noticeBackoff } from './notice-result';
export type * from './notice-result';
export { createNotifier, type Notifier, type NotifierOptions } from './notifier';
export { payerChannelSettings } from './payer-channels';
export { previewEmail } from './sample';
export { OWN_TEMPLATES, readTemplates } from './templates';

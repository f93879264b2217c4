export { readNoticeBody } from './notice-body';
export { noticeBackoff } from './notice-result';
export type * from './notice-result';
export { createNotifier, type Notice, type Notifier, type NotifierOptions } from './notifier';

import type { NoticeId } from '../src/domain/ids';
import { deliverNotice } from './activities';

/** Delivers one notice that nothing waits for. Outlives the workflow that ordered it. */
export async function notice(noticeId: NoticeId): Promise<void> {
  await deliverNotice({ noticeId });
}

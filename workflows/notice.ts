import type { NoticeId } from '../src/domain/ids';
import { deliverNotice } from './activities';

/**
 * Delivers one notice that nothing waits for. Outlives the workflow that ordered it.
 * @param again a person asks for it, delivered or not
 */
export async function notice(noticeId: NoticeId, again = false): Promise<void> {
  await deliverNotice(again ? { noticeId, again } : { noticeId });
}

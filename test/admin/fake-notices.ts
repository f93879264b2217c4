import type { NoticeGateway, NoticeRun } from '../../src/gateway';
import type { NoticeId } from '../../src/domain/ids';

/** In place of the workflows that deliver notices. */
export class FakeNotices implements NoticeGateway {
  readonly delivered: NoticeId[] = [];
  run: NoticeRun = { kind: 'begun' };

  async deliver(noticeId: NoticeId): Promise<NoticeRun> {
    this.delivered.push(noticeId);
    return this.run;
  }
}

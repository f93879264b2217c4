import type { NoticeGateway, NoticeRun } from '../../src/gateway';
import type { NoticeId, SubscriptionId } from '../../src/domain/ids';

/** Stands where the workflows that deliver notices are. */
export class FakeNotices implements NoticeGateway {
  readonly woken: SubscriptionId[] = [];
  readonly delivered: NoticeId[] = [];
  run: NoticeRun = { kind: 'begun' };

  async wake(subscriptionId: SubscriptionId): Promise<NoticeRun> {
    this.woken.push(subscriptionId);
    return this.run;
  }

  async deliver(noticeId: NoticeId): Promise<NoticeRun> {
    this.delivered.push(noticeId);
    return this.run;
  }
}

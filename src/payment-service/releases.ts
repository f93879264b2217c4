import { readAuthorization } from './authorizations';
import type { Caller } from './caller';
import type { PaymentService } from './payment-service';
import { releasePath, type Spellings } from './spellings';

export function createReleases(call: Caller, spellings: Spellings): Pick<PaymentService, 'release'> {
  return {
    release: async (paymentId, authorizationId, options) => {
      const read = readAuthorization(paymentId);
      return call({
        operation: 'release',
        method: 'DELETE',
        path: releasePath(spellings, paymentId, authorizationId),
        beforeSend: options?.beforeSend,
        read: (body) => {
          const released = read(body);
          return released?.authorizationId === authorizationId ? released : null;
        },
      });
    },
  };
}

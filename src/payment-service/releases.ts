import { readAuthorization } from './authorizations';
import { type Caller, pathOf } from './caller';
import type { PaymentService } from './payment-service';

export function createReleases(call: Caller): Pick<PaymentService, 'release'> {
  return {
    release: async (paymentId, authorizationId, options) => {
      const read = readAuthorization(paymentId);
      return call({
        operation: 'release',
        method: 'DELETE',
        path: pathOf(['authorizations', authorizationId], { paymentId }),
        beforeSend: options?.beforeSend,
        read: (body) => {
          const released = read(body);
          return released?.authorizationId === authorizationId ? released : null;
        },
      });
    },
  };
}

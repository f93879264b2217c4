/** A POST whose answer is lost, and that reaches the service only when the test says so. */
export function latePost<Order>(send: (paymentId: string, order: Order) => Promise<unknown>) {
  const underWay: (() => Promise<unknown>)[] = [];
  return {
    make: async (paymentId: string, order: Order) => {
      underWay.push(() => send(paymentId, order));
      return { kind: 'unknown', reason: 'no answer' } as const;
    },
    arrive: async () => {
      for (const each of underWay.splice(0)) await each();
    },
  };
}

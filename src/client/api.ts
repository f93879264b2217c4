/** Written by `npm run client` from the OpenAPI description. Do not edit. */

export interface paths {
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Answers while the process lives
     * @description Answers while the process lives.
     */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Tells whether all that is needed can be had, and how long each took; the payment service is shown beside
     * @description Tells whether all that is needed can be had, and how long each took; the payment service is shown beside.
     */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists subscriptions, newest first
     * @description Lists subscriptions, newest first.
     */
    get: operations['listSubscriptions'];
    put?: never;
    /**
     * Creates a subscription and opens the consent session, for which the payer has 10 minutes
     * @description Creates a subscription and opens the consent session, for which the payer has 10 minutes.
     */
    post: operations['createSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Shows one subscription
     * @description Shows one subscription.
     */
    get: operations['getSubscription'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Replaces the metadata
     * @description Replaces the metadata.
     */
    patch: operations['changeSubscription'];
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the cycles with their attempts, newest first
     * @description Lists the cycles with their attempts, newest first.
     */
    get: operations['listCycles'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/schedule': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the cycles still to come
     * @description Lists the cycles still to come.
     */
    get: operations['getSchedule'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the trail of one subscription, newest first
     * @description Lists the trail of one subscription, newest first.
     */
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/resume': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ends a pause: the calendar stays as it was, without arrears
     * @description Ends a pause: the calendar stays as it was, without arrears.
     */
    post: operations['resumeSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/acknowledge': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A person has seen what needs attention: clears that standing
     * @description A person has seen what needs attention: clears that standing.
     */
    post: operations['acknowledgeSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/restart': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Begins the workflow anew from the ledger, where none runs; 409 while one does
     * @description Begins the workflow anew from the ledger, where none runs; 409 while one does.
     */
    post: operations['restartSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/pause': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pauses: due dates inside the pause are skipped for good
     * @description Pauses: due dates inside the pause are skipped for good.
     */
    post: operations['pauseSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cancel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancels: no new attempt from now on, and the consent is ended at the service
     * @description Cancels: no new attempt from now on, and the consent is ended at the service.
     */
    post: operations['cancelSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/consent-check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Asks the service for the consent now, for when the payer has come back
     * @description Asks the service for the consent now, for when the payer has come back.
     */
    post: operations['checkConsent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/amount-changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Changes the amount from a cycle on; with dryRun only tells what the change would be
     * @description Changes the amount from a cycle on; with dryRun only tells what the change would be.
     */
    post: operations['changeAmount'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/amount-changes/pending': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Takes back a change of amount that no cycle has frozen yet
     * @description Takes back a change of amount that no cycle has frozen yet.
     */
    delete: operations['withdrawAmountChange'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/skip': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Skips a cycle for good; only before its first attempt
     * @description Skips a cycle for good; only before its first attempt.
     */
    post: operations['skipCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Makes the next attempt now instead of at its planned time
     * @description Makes the next attempt now instead of at its planned time.
     */
    post: operations['retryCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Decides, with evidence, what became of an attempt of which the service does not tell
     * @description Decides, with evidence, what became of an attempt of which the service does not tell.
     */
    post: operations['resolveCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists one-time payments, newest first
     * @description Lists one-time payments, newest first.
     */
    get: operations['listPayments'];
    put?: never;
    /**
     * Requests a one-time payment and opens the consent session, for which the payer has 10 minutes
     * @description Requests a one-time payment and opens the consent session, for which the payer has 10 minutes.
     */
    post: operations['createPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Shows one one-time payment
     * @description Shows one one-time payment.
     */
    get: operations['getPayment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Replaces the metadata
     * @description Replaces the metadata.
     */
    patch: operations['changePayment'];
    trace?: never;
  };
  '/v1/payments/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the trail of one one-time payment, newest first
     * @description Lists the trail of one one-time payment, newest first.
     */
    get: operations['listPaymentEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/captures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Debits what was authorized, or part of it, as the flags allow; needs an Idempotency-Key
     * @description Debits what was authorized, or part of it, as the flags allow; needs an Idempotency-Key.
     */
    post: operations['capturePayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/release': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Gives back what was authorized and not captured; 200 once the service has confirmed, 202 until then
     * @description Gives back what was authorized and not captured; 200 once the service has confirmed, 202 until then.
     */
    post: operations['releasePayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/consent-check': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Asks the service for the consent now, for when the payer has come back
     * @description Asks the service for the consent now, for when the payer has come back.
     */
    post: operations['checkPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/restart': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Begins the workflow anew from the ledger, where none runs; 409 while one does
     * @description Begins the workflow anew from the ledger, where none runs; 409 while one does.
     */
    post: operations['restartPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Gives back what a cycle has collected, or part of it; needs an Idempotency-Key
     * @description Gives back what a cycle has collected, or part of it; needs an Idempotency-Key.
     */
    post: operations['refundCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payments/{id}/refunds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Gives back what a capture has debited, or part of it; needs an Idempotency-Key
     * @description Gives back what a capture has debited, or part of it; needs an Idempotency-Key.
     */
    post: operations['refundPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/captures/{orderId}/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Decides, with evidence, whether a capture was made of which the service does not tell
     * @description Decides, with evidence, whether a capture was made of which the service does not tell.
     */
    post: operations['resolveCapture'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/refunds/{refundId}/resolve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Decides, with evidence, whether a refund was made of which the service does not tell
     * @description Decides, with evidence, whether a refund was made of which the service does not tell.
     */
    post: operations['resolveRefund'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the whole trail, newest first; `from` inclusive, `to` exclusive
     * @description Lists the whole trail, newest first; `from` inclusive, `to` exclusive.
     */
    get: operations['listAudit'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/audit/{id}/redact': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Removes the words of one entry of the trail, for good: they are shown as `[redacted]`
     * @description Of `data` that is `reason`, `evidence`, `note`, `message`, `description` and `error`; everything else stays, and the hash chain too. The same words are removed where the ledger has them of the same subscription or payment. It is 409 where the entry has no words, or none any more.
     */
    post: operations['redactAuditEntry'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists every movement of money, oldest first, or streams all of them as CSV
     * @description Debits, captures and refunds of all plans, one item each, in the order in which they began, which never changes. With `Accept: text/csv` all of them are streamed, regardless of `limit`: a header, then one line each (RFC 4180), amounts in cents and as decimals. An apostrophe is put before `=`, `+`, `-`, `@`, a tab and a line end, if they stand at the beginning of a text or after `;`, `,`, a tab or a quote, so that no spreadsheet runs it. A stream that broke off is resumed by `after`, the transactionId of its last whole line.
     */
    get: operations['listTransactions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists what the merchant's systems are told, oldest first, for those who would rather ask
     * @description Lists what the merchant's systems are told, oldest first, for those who would rather ask.
     */
    get: operations['listMerchantEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the endpoints: that of the environment, then oldest first
     * @description Lists the endpoints: that of the environment, then oldest first.
     */
    get: operations['listWebhookEndpoints'];
    put?: never;
    /**
     * Makes an endpoint, which gets what happens from now on; its secret is shown this once
     * @description Makes an endpoint, which gets what happens from now on; its secret is shown this once.
     */
    post: operations['createWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One endpoint
     * @description One endpoint.
     */
    get: operations['getWebhookEndpoint'];
    put?: never;
    post?: never;
    /**
     * Deletes an endpoint, with all that was pending for it and what is known of its deliveries
     * @description Deletes an endpoint, with all that was pending for it and what is known of its deliveries.
     */
    delete: operations['deleteWebhookEndpoint'];
    options?: never;
    head?: never;
    /**
     * Changes an endpoint; enabled, or with another URL, it gets at once what is pending
     * @description Changes an endpoint; enabled, or with another URL, it gets at once what is pending.
     */
    patch: operations['changeWebhookEndpoint'];
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Gives an endpoint a new secret, shown this once; the one before signs too for the overlap
     * @description Gives an endpoint a new secret, shown this once; the one before signs too for the overlap.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists what was sent to an endpoint, newest first, with each try; admins see what it answered
     * @description Lists what was sent to an endpoint, newest first, with each try; admins see what it answered.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sends an endpoint the events of a span again, those that were not delivered first; Location names the job
     * @description Sends an endpoint the events of a span again, those that were not delivered first; Location names the job.
     */
    post: operations['replayEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/webhook-endpoints/{id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sends one endpoint a sample of a type, with `test: true`; no other gets it, and no list shows it
     * @description Sends one endpoint a sample of a type, with `test: true`; no other gets it, and no list shows it.
     */
    post: operations['testWebhookEndpoint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/events/{id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sends an event to an endpoint once more, with the same id, and all that is pending for it, at once
     * @description Sends an event to an endpoint once more, with the same id, and all that is pending for it, at once.
     */
    post: operations['resendEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Sends events as they come (text/event-stream), from Last-Event-ID on, or from now
     * @description Sends events as they come (text/event-stream), from Last-Event-ID on, or from now.
     */
    get: operations['streamEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/attention': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists what waits for a person, and why: first a halt of all sending, then the rest in the order asked for
     * @description Lists what waits for a person, and why: first a halt of all sending, then the rest in the order asked for.
     */
    get: operations['listAttention'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/attention/{item}/assign': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Assigns the item to a person; null removes the assignee
     * @description Assigns the item to a person; null removes the assignee.
     */
    post: operations['assignAttention'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/attention/{item}/note': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replaces the note; null: none
     * @description Replaces the note; null: none.
     */
    post: operations['noteAttention'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/attention/{item}/close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Closes a difference that is explained, or dead letters that nobody needs
     * @description Closes a difference that is explained, or dead letters that nobody needs.
     */
    post: operations['closeAttention'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/notices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists what payers and the merchant are told, newest first
     * @description Lists what payers and the merchant are told, newest first.
     */
    get: operations['listNotices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/notices/{id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Delivers a notice again, now, under the same webhook-id; one that was given up is open again
     * @description Delivers a notice again, now, under the same webhook-id; one that was given up is open again.
     */
    post: operations['resendNotice'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/notices/{id}/told': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A person has told the payer by other means: it counts as delivered then, and the retry may follow
     * @description A person has told the payer by other means: it counts as delivered then, and the retry may follow.
     */
    post: operations['recordTold'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/payer': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Changes the payer's e-mail, reference or language; undelivered notices go to a new e-mail at once
     * @description Changes the payer's e-mail, reference or language; undelivered notices go to a new e-mail at once.
     */
    patch: operations['changePayer'];
    trace?: never;
  };
  '/v1/payers/{reference}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Tells all that is stored of a payer, over all subscriptions, payments and drafts
     * @description Tells all that is stored of a payer, over all subscriptions, payments and drafts.
     */
    get: operations['getPayer'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/payers/{reference}/erase': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Erases a payer for good: all personal data of all subscriptions, payments and drafts
     * @description Rows about money stay. It is 409 with `living` while something is not over, such as a subscription in force, an undelivered notice or an event on its way. The reason is kept, and must not name the payer.
     */
    post: operations['erasePayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/collections': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What fell due, by the UTC day of the due date, and what became of it
     * @description Every figure goes by the due date of its cycle, whenever it was collected or refunded. `due` is what has fallen due by now: the sum of `collected`, `failed`, `skipped`, `missed` and `open`. `refunded` is part of `collected`.
     */
    get: operations['reportCollections'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/deadlines': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the open cycles, the one whose time is over soonest first
     * @description Cycles that have fallen due and are not final. One whose first attempt has not begun is `scheduled`; of several such of one subscription the earliest is listed.
     */
    get: operations['listDeadlines'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/forecast': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What is still to be collected, by the UTC day of the due date
     * @description From the calendars of active subscriptions, and of paused ones from the end of their pause on, each at the amount that its next cycle collects. Cycles that have been tried are not in `due`. `hoursToCollect` counts first attempts, retries, what waits now, and polls of what has been pending for over an hour.
     */
    get: operations['reportForecast'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/recovery': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What retries have recovered, of the cycles that fell due in the span
     * @description Each cycle that the bank has answered counts once, regardless of the number of its attempts. Skipped and missed ones, which were never refused, are not in it.
     */
    get: operations['reportRecovery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/retry-advice': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What retries at other times within the 72 hours would have met, by the history of the span
     * @description Numbers to weigh, which nothing applies by itself. That a retry would have met the money later, too, supposes that it stayed in the account.
     */
    get: operations['adviseRetries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/today': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What needs attention now, and what the day has brought
     * @description Of subscriptions; one-time payments are not part of it. `refusedToday`, `collectedToday` and `dueToday` are of the calendar day in the time zone, everything else is as of now.
     */
    get: operations['reportToday'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/failing-payers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the payers whose last due cycle was refused and is not collected, or streams all of them as CSV
     * @description Of subscriptions that are active or paused, one item each, by their ids. With `Accept: text/csv` all of them are streamed, regardless of `limit`, as `GET /v1/transactions` does; the e-mail is there if the key may see it.
     */
    get: operations['listFailingPayers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/reconciliation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Every difference that comparisons of the ledger with the payment service have found
     * @description Tells of each part of the span what the newest finished comparison of it has found, the daily ones included; it begins none. `comparedAt` is the instant up to which everything in the span has been compared, and null where a part of it, named in `notCompared`, never was.
     */
    get: operations['reportReconciliation'];
    put?: never;
    /**
     * Compares the ledger with the payment service, as a job
     * @description Asks the payment service about every payment of the subscriptions, and every one-time payment, that had not ended before `from`, or was touched since, and compares records with a date in the span. What is under way is no difference. Nothing is changed. One runs at a time: ordered again for the same span, the answer names the job that runs; for another span it is 409 `state_conflict` with its `jobId`, `from` and `to`.
     */
    post: operations['orderReconciliation'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/bulk': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Makes one call for each of many subscriptions, after a dry run
     * @description With `dryRun` it tells what the filter selects, and gives a token that is valid for 15 minutes, once, with the same key. With the token it begins a job that makes the single call for each of them, also where other calls are refused. Where the filter selects others by then, or one of them stands otherwise, it is 409 `selection_changed` with what changed. It needs the role of the single call, and takes 50000 subscriptions at most.
     */
    post: operations['runBulk'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/jobs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the jobs of the last 90 days, newest first
     * @description Of the kinds that the scopes of the key permit. A dry run is no job.
     */
    get: operations['listJobs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/jobs/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How far a job has come
     * @description How far a job has come.
     */
    get: operations['getJob'];
    put?: never;
    post?: never;
    /**
     * Stops a job between two payments, subscriptions or events; what it has found, done or sent stays
     * @description Stops a job between two payments, subscriptions or events; what it has found, done or sent stays.
     */
    delete: operations['stopJob'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/jobs/{id}/results': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Every difference that a reconciliation has found so far, or what became of each subscription of a bulk
     * @description Every difference that a reconciliation has found so far, or what became of each subscription of a bulk.
     */
    get: operations['listJobResults'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/halt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Tells whether all sending is halted
     * @description Tells whether all sending is halted.
     */
    get: operations['getHalt'];
    put?: never;
    /**
     * Halts all sending: once it is answered, nothing is debited, captured or refunded until it is lifted
     * @description What the service has already been asked for is followed to its end; pause, cancel, release and consent checks go on. Halted already: the standing halt is answered, with its own reason.
     */
    post: operations['haltSending'];
    /**
     * Lifts the halt: what is still inside its window is sent within a minute
     * @description A halt that stands as the ledger was restored is lifted once everything was compared with the payment service since, and no difference waits for a person; before, 409 says what is missing.
     */
    delete: operations['liftHalt'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists the keys, revoked ones too, oldest first
     * @description Lists the keys, revoked ones too, oldest first.
     */
    get: operations['listKeys'];
    put?: never;
    /**
     * Makes a key; it is shown this once
     * @description A key that is itself limited in scopes, money or time makes only keys that are so, too; one that is limited in what it refunds, none that refunds.
     */
    post: operations['createKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys/{id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Puts a new key in the place of one, which ends after the overlap; it is shown this once
     * @description Name, role, holder, scopes, limits and expiry are those of the old key, and an Idempotency-Key that was used with one of both was used with the other.
     */
    post: operations['rotateKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/keys/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revokes a key, at once and for good
     * @description Revokes a key, at once and for good.
     */
    delete: operations['revokeKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/approvals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists what waits for a second person, and what became of the rest, newest first
     * @description Lists what waits for a second person, and what became of the rest, newest first.
     */
    get: operations['listApprovals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/approvals/{id}/approve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Approves a request of another person, who then repeats it with Dueday-Approval
     * @description Approves a request of another person, who then repeats it with Dueday-Approval.
     */
    post: operations['approveRequest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/approvals/{id}/reject': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rejects a request, also one that was approved and is not used yet
     * @description Rejects a request, also one that was approved and is not used yet.
     */
    post: operations['rejectRequest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The session that the call came with
     * @description The session that the call came with.
     */
    get: operations['getSession'];
    put?: never;
    /**
     * Exchanges a key for a session: the cookie __Host-dueday, for a browser
     * @description Exchanges a key for a session: the cookie __Host-dueday, for a browser.
     */
    post: operations['openSession'];
    /**
     * Ends the session that the call came with, at once
     * @description Ends the session that the call came with, at once.
     */
    delete: operations['endSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Takes over mandates granted elsewhere: one a line, answered one a line, in order
     * @description Takes over mandates granted elsewhere: one a line, answered one a line, in order.
     */
    post: operations['importSubscriptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'subscription.created': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The subscription exists, and its payer is asked for the consent, or has given it elsewhere
     * @description The subscription exists, and its payer is asked for the consent, or has given it elsewhere.
     */
    post: operations['onSubscriptionCreated'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.activated': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The consent stands: the subscription is collected from now on
     * @description The consent stands: the subscription is collected from now on.
     */
    post: operations['onSubscriptionActivated'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.paused': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Due dates are skipped until it is resumed
     * @description Due dates are skipped until it is resumed.
     */
    post: operations['onSubscriptionPaused'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.resumed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The pause has ended
     * @description The pause has ended.
     */
    post: operations['onSubscriptionResumed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.cancelled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The consent has ended: nothing further is collected
     * @description The consent has ended: nothing further is collected.
     */
    post: operations['onSubscriptionCancelled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The last cycle is final, and nothing is open
     * @description The last cycle is final, and nothing is open.
     */
    post: operations['onSubscriptionCompleted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.replaced': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Another subscription has taken its place
     * @description Another subscription has taken its place.
     */
    post: operations['onSubscriptionReplaced'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'consent.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The payer has not given the consent
     * @description The payer has not given the consent.
     */
    post: operations['onConsentFailed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.upcoming': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A cycle falls due in CYCLE_UPCOMING_DAYS days or less
     * @description A cycle falls due in CYCLE_UPCOMING_DAYS days or less.
     */
    post: operations['onCycleUpcoming'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.collected': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The money is there; `late` where the window had closed
     * @description The money is there; `late` where the window had closed.
     */
    post: operations['onCycleCollected'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.dunning': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * An attempt was refused, and a retry is planned
     * @description An attempt was refused, and a retry is planned.
     */
    post: operations['onCycleDunning'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The cycle is not collected
     * @description The cycle is not collected.
     */
    post: operations['onCycleFailed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.skipped': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The cycle was not to be collected
     * @description The cycle was not to be collected.
     */
    post: operations['onCycleSkipped'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.missed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The window has closed, and nothing was sent
     * @description The window has closed, and nothing was sent.
     */
    post: operations['onCycleMissed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.unresolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Whether an attempt made a debit cannot be told
     * @description Whether an attempt made a debit cannot be told.
     */
    post: operations['onCycleUnresolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.resolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A person has settled it
     * @description A person has settled it.
     */
    post: operations['onCycleResolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'amount_change.accepted': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The amount is to change
     * @description The amount is to change.
     */
    post: operations['onAmountChangeAccepted'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'amount_change.withdrawn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A pending change was taken back
     * @description A pending change was taken back.
     */
    post: operations['onAmountChangeWithdrawn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'amount_change.dropped': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A pending change could not be collected; the old amount is
     * @description A pending change could not be collected; the old amount is.
     */
    post: operations['onAmountChangeDropped'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'amount_change.applied': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A cycle was collected at another amount than the one before
     * @description A cycle was collected at another amount than the one before.
     */
    post: operations['onAmountChangeApplied'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'refund.successful': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The payer has the money back
     * @description The payer has the money back.
     */
    post: operations['onRefundSuccessful'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'refund.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The refund was not made
     * @description The refund was not made.
     */
    post: operations['onRefundFailed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'refund.unresolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Whether the refund was made cannot be told
     * @description Whether the refund was made cannot be told.
     */
    post: operations['onRefundUnresolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.authorized': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The payer's bank has authorized the payment
     * @description The payer's bank has authorized the payment.
     */
    post: operations['onPaymentAuthorized'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.captured': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A Single Immediate payment is booked
     * @description A Single Immediate payment is booked.
     */
    post: operations['onPaymentCaptured'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.released': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The authorization was given back: the payer is not debited
     * @description The authorization was given back: the payer is not debited.
     */
    post: operations['onPaymentReleased'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.expired': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The deadline has passed: nothing more can be captured
     * @description The deadline has passed: nothing more can be captured.
     */
    post: operations['onPaymentExpired'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The payment was not made
     * @description The payment was not made.
     */
    post: operations['onPaymentFailed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'capture.successful': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A capture was made
     * @description A capture was made.
     */
    post: operations['onCaptureSuccessful'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'capture.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A capture was not made
     * @description A capture was not made.
     */
    post: operations['onCaptureFailed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'capture.unresolved': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Whether a capture was made cannot be told
     * @description Whether a capture was made cannot be told.
     */
    post: operations['onCaptureUnresolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'capture.deadline_near': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Money is left to capture, a day before the deadline
     * @description Money is left to capture, a day before the deadline.
     */
    post: operations['onCaptureDeadlineNear'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'notice.delivered': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A notice counts as delivered
     * @description A notice counts as delivered.
     */
    post: operations['onNoticeDelivered'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'notice.undeliverable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A notice was given up
     * @description A notice was given up.
     */
    post: operations['onNoticeUndeliverable'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'attention.opened': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Something waits for a person
     * @description Something waits for a person.
     */
    post: operations['onAttentionOpened'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'attention.cleared': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * It waits no more
     * @description It waits no more.
     */
    post: operations['onAttentionCleared'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'reconciliation.difference': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ledger and service disagree
     * @description Ledger and service disagree.
     */
    post: operations['onReconciliationDifference'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'audit.head': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Once a day: how many links the hash chain over the trail has, and the hash of the last
     * @description Once a day: how many links the hash chain over the trail has, and the hash of the last.
     */
    post: operations['onAuditHead'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'endpoint.disabled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * An endpoint gets nothing any more
     * @description An endpoint gets nothing any more.
     */
    post: operations['onEndpointDisabled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'endpoint.recovered': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * An endpoint that was disabled has taken an event again
     * @description An endpoint that was disabled has taken an event again.
     */
    post: operations['onEndpointRecovered'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'endpoint.test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A test, sent on request
     * @description A test, sent on request.
     */
    post: operations['onEndpointTest'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /** @description A postal address. */
    Address: {
      name: string;
      street: string;
      postalCode: string;
      city: string;
      country: string;
      /** Format: email */
      email?: string;
    };
    /** @description The change of an amount, and from which cycle on it holds. */
    AmountChange: {
      amount: components['schemas']['Money'];
      previousAmount: components['schemas']['Money'];
      /** Format: int64 */
      fromCycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      effectiveAt: string;
      /** @enum {string} */
      kind: 'increase' | 'reduction' | 'unchanged';
      countsAsIncrease: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextIncreaseAllowedFrom?: string;
      dryRun: boolean;
    };
    /** @description The amount is to change. */
    AmountChangeAcceptedEvent: {
      /** @enum {string} */
      type: 'amount_change.accepted';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        previousAmount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        fromCycle: number | null;
        effectiveAt: string | null;
        kind: string | null;
        countsAsIncrease: boolean | null;
      };
    };
    /** @description A cycle was collected at another amount than the one before. */
    AmountChangeAppliedEvent: {
      /** @enum {string} */
      type: 'amount_change.applied';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        previousAmount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
      };
    };
    /** @description A pending change could not be collected; the old amount is. */
    AmountChangeDroppedEvent: {
      /** @enum {string} */
      type: 'amount_change.dropped';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        previousAmount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        fromCycle: number | null;
        effectiveAt: string | null;
        kind: string | null;
        countsAsIncrease: boolean | null;
      };
    };
    /** @description A pending change was taken back. */
    AmountChangeWithdrawnEvent: {
      /** @enum {string} */
      type: 'amount_change.withdrawn';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        previousAmount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        fromCycle: number | null;
        effectiveAt: string | null;
        kind: string | null;
        countsAsIncrease: boolean | null;
      };
    };
    /** @description A request that a second person must approve, and the decision on it. */
    Approval: {
      approvalId: string;
      /**
       * @description `used`: the request that it permits was begun; no other one is permitted
       * @enum {string}
       */
      state: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
      /** @description The operationId of the call */
      operation: string;
      /** @description Method and path */
      call: string;
      subscriptionId?: string;
      paymentId?: string;
      amount?: components['schemas']['Money'];
      /** @description What else of the request has to be known */
      facts: {
        [key: string]: unknown;
      };
      /** @description The name of the API key */
      requestedBy: string;
      /** @description The person who has that key; another one approves */
      holder: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt: string;
      /** @description The name of the API key */
      decidedBy?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      decidedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      usedAt?: string;
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    ApprovalPage: {
      items: components['schemas']['Approval'][];
      nextCursor: string | null;
    };
    /** @description The operator to whom the item is assigned. */
    AssignAttention: {
      assignee: string | null;
    };
    /** @description One attempt to collect a cycle. */
    Attempt: {
      attempt: number;
      /** Format: int64 */
      send: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      amount: components['schemas']['Money'];
      /** @enum {string} */
      outcome: 'pending' | 'successful' | 'rejected_retryable' | 'rejected' | 'not_sent' | 'unknown';
      authorizationId?: string;
      captureId?: string;
      detail?: string;
      description?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      payerNotifiedAt?: string;
      resolvedBy?: string;
      /** @description Another system made it, and it was taken for the debit of the cycle */
      adopted: boolean;
    };
    /** @description An item that needs an operator. */
    Attention: {
      /** @description Its id: the same matter, come back, has the same */
      item: string;
      kind: string;
      subscriptionId: string | null;
      paymentId: string | null;
      orderId?: string;
      /** @description Of dead letters */
      endpointId?: string;
      /** @description Null if it is about no cycle */
      cycle: number | null;
      status:
        | (
            | 'pending_consent'
            | 'consent_failed'
            | 'active'
            | 'paused'
            | 'cancelled'
            | 'completed'
            | 'authorized'
            | 'partly_captured'
            | 'captured'
            | 'released'
            | 'expired'
            | 'failed'
            | 'refunded'
          )
        | null;
      /** @description What has happened, in a few words */
      title: string;
      /** @description What it means, and what an operator does about it */
      explanation: string;
      /** @description Null if an operator must look first */
      recommended: components['schemas']['RecommendedCall'] | null;
      /** @description What it is about; null where it is about no money */
      amount: components['schemas']['Money'] | null;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since: string;
      /** @description Until when a person can still change something */
      deadline: string | null;
      ledger: components['schemas']['Evidence'] | null;
      /** @description Null where it has nothing of the kind, or cannot be asked */
      service: components['schemas']['Evidence'] | null;
      /** @description The records of both sides, line by line */
      evidence: components['schemas']['EvidenceRow'][];
      /** @description Ids of other open items of the same subscription or payment, at most 20 */
      related: string[];
      assignee: string | null;
      note: string | null;
    };
    /** @description It waits no more. */
    AttentionClearedEvent: {
      /** @enum {string} */
      type: 'attention.cleared';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        matter: string | null;
        cycle: number | null;
      };
    };
    /** @description Something waits for a person. */
    AttentionOpenedEvent: {
      /** @enum {string} */
      type: 'attention.opened';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        matter: string | null;
        cycle: number | null;
      };
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    AttentionPage: {
      items: components['schemas']['Attention'][];
      nextCursor: string | null;
    };
    /** @description One entry of the audit log. */
    AuditEntry: {
      /**
       * Format: int64
       * @description By which `POST /v1/audit/{id}/redact` names it
       */
      id: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      actor: string;
      /** @description Of the API key that acted, or whose session did; null where none of `GET /v1/keys` did */
      keyId: string | null;
      type: string;
      /** @description The entry in a few plain sentences */
      text: string;
      rule: components['schemas']['Rule'] | null;
      data: {
        [key: string]: unknown;
      };
      subscriptionId: string | null;
      paymentId?: string;
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    AuditEntryPage: {
      items: components['schemas']['AuditEntry'][];
      nextCursor: string | null;
    };
    /** @description Once a day: how many links the hash chain over the trail has, and the hash of the last. */
    AuditHeadEvent: {
      /** @enum {string} */
      type: 'audit.head';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        entries: number | null;
        head: string | null;
      };
    };
    /** @description The authorization of a payment by the payer’s bank. */
    Authorization: {
      authorizationId: string;
      amount: components['schemas']['Money'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      detail?: string;
      description?: string;
    };
    /** @description A dry run of one call for many subscriptions, or its start. */
    Bulk: {
      /** @enum {string} */
      action?: 'pause' | 'resume' | 'cancel' | 'retry' | 'consent-check' | 'acknowledge' | 'amount-change';
      /** @description The body of the single call; of a retry, that of the cycle that waits for one */
      parameters?: {
        [key: string]: unknown;
      };
      /** @description As that of the list of subscriptions; not empty */
      filter?: {
        /**
         * Format: date-time
         * @description Inclusive
         */
        createdFrom?: string;
        /**
         * Format: date-time
         * @description Exclusive
         */
        createdTo?: string;
        /**
         * Format: date-time
         * @description Inclusive
         */
        dueFrom?: string;
        /**
         * Format: date-time
         * @description Exclusive
         */
        dueTo?: string;
        /** @description All of these pairs, each as metadata[key]=value */
        metadata?: components['schemas']['Metadata'];
        q?: string;
        /** @enum {string} */
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        /** @enum {string} */
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        /** @enum {string} */
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /**
         * Format: date-time
         * @description ISO 8601 with date, time of day and offset
         */
        dueBefore?: string;
      };
      /** @default false */
      dryRun?: boolean;
      /** @description Starts what the dry run has shown. What else is given must be as it was there */
      token?: string;
    };
    /** @description What the filter selects, and the token that starts the job; nothing is done yet. */
    BulkDryRun: {
      /** @enum {string} */
      action: 'pause' | 'resume' | 'cancel' | 'retry' | 'consent-check' | 'acknowledge' | 'amount-change';
      /** Format: int64 */
      total: number;
      /** @description Subscriptions by status */
      counts: {
        [key: string]: number;
      };
      /** @description What the next cycles of all of them collect */
      amount: components['schemas']['Money'];
      /** @description What they would collect after the change of amount */
      amountAfter?: components['schemas']['Money'];
      /** @description The first 20 */
      items: components['schemas']['SelectedSubscription'][];
      /** @description Starts it, once, and only while the selection stands as it is */
      token: string;
      /**
       * Format: date-time
       * @description In real time
       */
      tokenValidUntil: string;
    };
    /** @description A job that makes one call for each of many subscriptions. */
    BulkJob: {
      jobId: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'bulk';
      /** @enum {string} */
      state: 'running' | 'finished' | 'failed' | 'stopped';
      /**
       * Format: int64
       * @description Subscriptions that are over, refused ones too
       */
      done: number;
      /** Format: int64 */
      total: number;
      /**
       * Format: int64
       * @description Subscriptions for which the single call was refused
       */
      refused: number;
      action: string;
      /** @description An API key's name */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
    };
    /** @description The outcome of the job for one subscription. */
    BulkResult: {
      subscriptionId: string;
      /**
       * @description `not_done`: the job was stopped before
       * @enum {string}
       */
      state: 'waiting' | 'done' | 'refused' | 'not_done';
      /** @description In business time; null before it is over */
      at: string | null;
      /** @description As the single call answers it */
      problem?: components['schemas']['Problem'];
    };
    /** @description The capture, and whether it has succeeded. */
    Capture: {
      captureId: string | null;
      orderId?: string;
      amount: components['schemas']['Money'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      finalCapture: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      detail?: string;
      description?: string;
    };
    /** @description Money is left to capture, a day before the deadline. */
    CaptureDeadlineNearEvent: {
      /** @enum {string} */
      type: 'capture.deadline_near';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        captureBy: string | null;
        remaining: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
      };
    };
    /** @description A capture was not made. */
    CaptureFailedEvent: {
      /** @enum {string} */
      type: 'capture.failed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        orderId: string | null;
        captureId: string | null;
        detail: string | null;
      };
    };
    /** @description A capture was made. */
    CaptureSuccessfulEvent: {
      /** @enum {string} */
      type: 'capture.successful';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        orderId: string | null;
        captureId: string | null;
        detail: string | null;
      };
    };
    /** @description Whether a capture was made cannot be told. */
    CaptureUnresolvedEvent: {
      /** @enum {string} */
      type: 'capture.unresolved';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        orderId: string | null;
        captureId: string | null;
        detail: string | null;
      };
    };
    /** @description The new amount, and from which cycle on it is collected. */
    ChangeAmount: {
      amount: components['schemas']['Money'];
      fromCycle?: number;
      /** @default false */
      dryRun?: boolean;
      reason?: string;
    };
    /** @description The pairs that replace the metadata. */
    ChangeMetadata: {
      /** @description Takes the place of all that was there */
      metadata: components['schemas']['Metadata'];
    };
    /** @description The fields to change; null removes a value. */
    ChangePayer: {
      email?: string | null;
      reference?: string | null;
      language?: ('en' | 'de' | 'fr' | 'nl') | null;
    };
    /** @description The fields to change. */
    ChangeWebhookEndpoint: {
      url?: string;
      types?: string[];
      description?: string | null;
      enabled?: boolean;
    };
    /** @description Why the item is closed. */
    CloseAttention: {
      reason: string;
    };
    /** @description The sums of each day, and of the whole period. */
    CollectionsReport: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      items: {
        due: components['schemas']['Figure'];
        collected: components['schemas']['Figure'];
        failed: components['schemas']['Figure'];
        skipped: components['schemas']['Figure'];
        missed: components['schemas']['Figure'];
        open: components['schemas']['Figure'];
        refunded: components['schemas']['Figure'];
        /**
         * Format: date
         * @description A day in UTC
         */
        day: string;
      }[];
      total: {
        due: components['schemas']['Figure'];
        collected: components['schemas']['Figure'];
        failed: components['schemas']['Figure'];
        skipped: components['schemas']['Figure'];
        missed: components['schemas']['Figure'];
        open: components['schemas']['Figure'];
        refunded: components['schemas']['Figure'];
      };
      /** @description Null: the report has no further page. */
      nextCursor: string | null;
    };
    /** @description The payer has not given the consent. */
    ConsentFailedEvent: {
      /** @enum {string} */
      type: 'consent.failed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
      };
    };
    /** @description The amount to capture. */
    CreateCapture: {
      amount: components['schemas']['Money'];
      /**
       * @description Closes the payment and releases what is left
       * @default false
       */
      finalCapture?: boolean;
    };
    /** @description The name, role and powers of the new key. */
    CreateKey: {
      /** @description The trail tells keys by name: a name is taken for ever, in any case of its letters */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      /** @description The person who has it */
      holder?: string;
      /**
       * Format: date-time
       * @description Real time
       */
      expiresAt?: string;
      /** @description What of its role it may do; all where none is given */
      scopes?: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: components['schemas']['KeyLimits'];
      reason?: string;
    };
    /** @description The payment, and where its payer returns to. */
    CreatePayment: {
      /** @enum {string} */
      plan: 'SINGLE' | 'EVENT_DEPENDENT';
      amount: components['schemas']['Money'];
      returnURL: string;
      billingAddress: components['schemas']['Address'];
      shippingAddress?: components['schemas']['Address'];
      payer?: components['schemas']['PayerDetails'];
      /** @description Seconds from the authorization in which captures are taken; EVENT_DEPENDENT only */
      timeToCapture?: number;
      /** @default false */
      partialCapture?: boolean;
      /** @default false */
      multipleCapture?: boolean;
      merchantCategoryCode?: string;
      metadata?: components['schemas']['Metadata'];
    };
    /** @description The amount to refund, and of which capture. */
    CreateRefund: {
      amount: components['schemas']['Money'];
      captureId?: string;
      reason?: string;
    };
    /** @description The subscription, its payer, and where the payer returns to. */
    CreateSubscription: {
      amount: components['schemas']['Money'];
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      startAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      firstPaymentAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      endAt?: string;
      returnURL: string;
      billingAddress: components['schemas']['Address'];
      shippingAddress?: components['schemas']['Address'];
      payer: components['schemas']['PayerDetails'];
      /**
       * @default continue
       * @enum {string}
       */
      onExhausted?: 'continue' | 'pause' | 'cancel';
      subscriptionId?: string;
      replaces?: string;
      metadata?: components['schemas']['Metadata'];
    };
    /** @description The URL of the endpoint, and the types of events it receives. */
    CreateWebhookEndpoint: {
      url: string;
      types: string[];
      description?: string;
      /** @default true */
      enabled?: boolean;
    };
    /** @description The key was created; its secret is shown this once. */
    CreatedKey: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: components['schemas']['KeyLimits'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
      key: string;
      /**
       * Format: date-time
       * @description Real time at which the bootstrap key ends, as there is an admin key now
       */
      bootstrapEndsAt?: string;
    };
    /** @description One due date of a subscription, with its attempts and refunds. */
    Cycle: {
      /** Format: int64 */
      cycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      amount: components['schemas']['Money'];
      /** @enum {string} */
      status: 'scheduled' | 'collecting' | 'dunning' | 'collected' | 'failed' | 'skipped' | 'missed' | 'unresolved';
      reason?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextAttemptAt?: string;
      retriesLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      retryUntil?: string;
      attempts: components['schemas']['Attempt'][];
      refunds: components['schemas']['Refund'][];
    };
    /** @description The money is there; `late` where the window had closed. */
    CycleCollectedEvent: {
      /** @enum {string} */
      type: 'cycle.collected';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        attempt: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        dueAt: string | null;
        collectedAt: string | null;
        late: boolean | null;
        adopted: boolean | null;
        authorizationId: string | null;
        captureId: string | null;
      };
    };
    /** @description An attempt was refused, and a retry is planned. */
    CycleDunningEvent: {
      /** @enum {string} */
      type: 'cycle.dunning';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        attempt: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        dueAt: string | null;
        detail: string | null;
        retryAt: string | null;
        retriesLeft: number | null;
        willRetry: boolean | null;
      };
    };
    /** @description The cycle is not collected. */
    CycleFailedEvent: {
      /** @enum {string} */
      type: 'cycle.failed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        attempt: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        dueAt: string | null;
        detail: string | null;
        authorizationId: string | null;
        captureId: string | null;
      };
    };
    /** @description The window has closed, and nothing was sent. */
    CycleMissedEvent: {
      /** @enum {string} */
      type: 'cycle.missed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        dueAt: string | null;
      };
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    CyclePage: {
      items: components['schemas']['Cycle'][];
      nextCursor: string | null;
    };
    /** @description A person has settled it. */
    CycleResolvedEvent: {
      /** @enum {string} */
      type: 'cycle.resolved';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        attempt: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        dueAt: string | null;
        outcome: string | null;
        paidCycle: number | null;
        authorizationId: string | null;
        captureId: string | null;
      };
    };
    /** @description The cycle was not to be collected. */
    CycleSkippedEvent: {
      /** @enum {string} */
      type: 'cycle.skipped';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        dueAt: string | null;
      };
    };
    /** @description Whether an attempt made a debit cannot be told. */
    CycleUnresolvedEvent: {
      /** @enum {string} */
      type: 'cycle.unresolved';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        attempt: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        dueAt: string | null;
      };
    };
    /** @description A cycle falls due in CYCLE_UPCOMING_DAYS days or less. */
    CycleUpcomingEvent: {
      /** @enum {string} */
      type: 'cycle.upcoming';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        dueAt: string | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
      };
    };
    /** @description An open cycle, and the hours that are left for it. */
    Deadline: {
      subscriptionId: string;
      /** Format: int64 */
      cycle: number;
      /** @enum {string} */
      status: 'scheduled' | 'collecting' | 'dunning' | 'unresolved';
      amount: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description The sooner of collectBy and retryUntil
       */
      deadline: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      hoursLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      collectHoursLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      retryUntil?: string;
      /** @description Hours left, to the hundredth, rounded down; 0 once they are over */
      retryHoursLeft?: number;
      /** @description Left out before the first failure */
      retriesLeft?: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextAttemptAt?: string;
      /** @description Begun so far; one sent again counts once */
      attempts: number;
      /** @description The payer's */
      reference?: string;
      /** @description In plain words; left out if it was never refused */
      lastRefusal?: string;
      /** @description What is lost if its time runs out: 0 while something of it is pending or successful */
      atRisk: components['schemas']['Money'];
      /** @description Empty where the cycle only waits for its time */
      blockedBy: (
        | 'time_over'
        | 'halted'
        | 'paused'
        | 'cancelling'
        | 'outcome_unresolved'
        | 'outcome_unknown'
        | 'other_cycle_in_doubt'
        | 'awaiting_answer'
        | 'pending_at_service'
        | 'capture_failed'
        | 'not_sent'
        | 'notice_undelivered'
        | 'notice_undeliverable'
      )[];
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    DeadlinePage: {
      items: components['schemas']['Deadline'][];
      nextCursor: string | null;
    };
    /** @description The session has ended. */
    EndedSession: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      endedAt: string;
    };
    /** @description An endpoint gets nothing any more. */
    EndpointDisabledEvent: {
      /** @enum {string} */
      type: 'endpoint.disabled';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        endpointId: string | null;
      };
    };
    /** @description An endpoint that was disabled has taken an event again. */
    EndpointRecoveredEvent: {
      /** @enum {string} */
      type: 'endpoint.recovered';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        endpointId: string | null;
      };
    };
    /** @description A test, sent on request. */
    EndpointTestEvent: {
      /** @enum {string} */
      type: 'endpoint.test';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        endpointId: string | null;
      };
    };
    /** @description The personal data was erased; the counts say of what. */
    ErasedPayer: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      erasedAt: string;
      /** Format: int64 */
      subscriptions: number;
      /** Format: int64 */
      payments: number;
      /**
       * Format: int64
       * @description Removed: the service had never answered
       */
      drafts: number;
      /** Format: int64 */
      keptAnswers: number;
      /** Format: int64 */
      events: number;
    };
    /** @description One entry of the audit log of a subscription or a payment. */
    Event: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      actor: string;
      /** @description Of the API key that acted, or whose session did; null where none of `GET /v1/keys` did */
      keyId: string | null;
      type: string;
      /** @description The entry in a few plain sentences */
      text: string;
      rule: components['schemas']['Rule'] | null;
      data: {
        [key: string]: unknown;
      };
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    EventPage: {
      items: components['schemas']['Event'][];
      nextCursor: string | null;
    };
    /** @description What one side has on record. */
    Evidence: {
      state: string;
      amount?: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at?: string;
      id?: string;
      detail?: string;
    };
    /** @description What ledger and service have on record of one thing; null if a side has nothing. */
    EvidenceRow: {
      /** @enum {string} */
      what: 'state' | 'amount' | 'at' | 'id' | 'detail';
      ledger: string | null;
      service: string | null;
      /** @description Whether the two cannot both be true */
      differs: boolean;
    };
    /** @description A payer whose last due cycle was refused and is not paid. */
    FailingPayer: {
      subscriptionId: string;
      /** @description The payer's */
      reference?: string;
      /** @description Left out if the key may not see e-mails */
      email?: string;
      /** Format: int64 */
      cycle: number;
      /**
       * @description Of the cycle
       * @enum {string}
       */
      status: 'scheduled' | 'collecting' | 'dunning' | 'collected' | 'failed' | 'skipped' | 'missed' | 'unresolved';
      amount: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /** @description In plain words */
      lastRefusal: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      refusedAt: string;
      /**
       * Format: date-time
       * @description Left out if no retry is planned
       */
      nextAttemptAt?: string;
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    FailingPayerPage: {
      items: components['schemas']['FailingPayer'][];
      nextCursor: string | null;
    };
    /** @description An amount, and how many payments it is the sum of. */
    Figure: {
      amount: components['schemas']['Money'];
      /** Format: int64 */
      count: number;
    };
    /** @description What falls due on each day of the period. */
    ForecastReport: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      items: {
        /**
         * Format: date
         * @description A day in UTC
         */
        day: string;
        due: components['schemas']['Figure'];
        /**
         * Format: int64
         * @description Cycles whose next retry is planned for the day
         */
        openRetries: number;
        /** @description What the cap on calls needs for the day, with what the day before has left; rounded up to the hundredth. Null without a cap */
        hoursToCollect: number | null;
      }[];
      total: {
        due: components['schemas']['Figure'];
      };
      /** @description Null: the report has no further page. */
      nextCursor: string | null;
    };
    /** @description Whether all sending is halted, and by whom and why. */
    Halt: {
      halted: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since?: string;
      /** @description The name of the API key, or dueday where the ledger was restored */
      by?: string;
      reason?: string;
    };
    /** @description The process lives. */
    Health: {
      /** @enum {string} */
      status: 'ok';
    };
    /** @description The outcome of one line. */
    ImportAnswer:
      | {
          /**
           * Format: int64
           * @description Counted from 1; blank lines count
           */
          line: number;
          subscriptionId: string;
          warnings?: string[];
        }
      | {
          /**
           * Format: int64
           * @description Counted from 1; blank lines count
           */
          line: number;
          problem: components['schemas']['Problem'];
        };
    /** @description One line of the file: a mandate granted elsewhere. */
    ImportLine: {
      amount: components['schemas']['Money'];
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      startAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      firstPaymentAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      endAt?: string;
      billingAddress: components['schemas']['Address'];
      shippingAddress?: components['schemas']['Address'];
      payer: components['schemas']['PayerDetails'];
      /**
       * @default continue
       * @enum {string}
       */
      onExhausted?: 'continue' | 'pause' | 'cancel';
      subscriptionId?: string;
      replaces?: string;
      metadata?: components['schemas']['Metadata'];
      paymentId: string;
      consentAmount?: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      lastIncreaseAt?: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      collectFrom?: string;
    };
    /** @description The new key; its secret is shown this once. */
    IssuedKey: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: components['schemas']['KeyLimits'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
      key: string;
    };
    /** @description The job and its progress. */
    Job:
      | components['schemas']['ReconciliationJob']
      | components['schemas']['BulkJob']
      | components['schemas']['ReplayJob'];
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    JobPage: {
      items: components['schemas']['Job'][];
      nextCursor: string | null;
    };
    /** @description A page of what the job has found or done so far. */
    JobResults: {
      items: (components['schemas']['ReconciliationDifference'] | components['schemas']['BulkResult'])[];
      nextCursor: string | null;
    };
    /** @description An API key without its secret. */
    Key: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description How the key begins */
      prefix?: string;
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      limits?: components['schemas']['KeyLimits'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiresAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      lastUsedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      revokedAt?: string;
      /** @description The id of the key in whose place it came */
      replaces?: string;
    };
    /** @description What may be refunded with the key in 24 hours, and by how much a call may change what is collected. */
    KeyLimits: {
      refundPerDay?: components['schemas']['Money'];
      changePerCall?: components['schemas']['Money'];
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    KeyPage: {
      items: components['schemas']['Key'][];
      nextCursor: string | null;
    };
    /** @description What keeps the payer from being erased. */
    Living: {
      /** @enum {string} */
      kind: 'subscription' | 'payment' | 'draft' | 'attempt' | 'order' | 'notice' | 'attention' | 'event' | 'job';
      subscriptionId?: string;
      /** @description Of a one-time payment */
      paymentId?: string;
      /** @description Its status, state, kind or type */
      state: string;
    };
    /** @description An event as it is posted to endpoints; `data` depends on the type. */
    MerchantEvent: {
      type: string;
      /** @description The webhook-id, the same over repetitions and replays */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Rises by one within one subscription or payment
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        [key: string]: unknown;
      };
    };
    /** @description A page of the events; its `nextCursor` leads on, also to later events. */
    MerchantEventPage: {
      items: components['schemas']['MerchantEvent'][];
      /** @description Where to go on, also where there is nothing new */
      nextCursor: string;
    };
    /** @description A one-time payment, with its captures and refunds. */
    MerchantPayment: {
      paymentId: string;
      /** @enum {string} */
      plan: 'SINGLE' | 'EVENT_DEPENDENT';
      amount: components['schemas']['Money'];
      /** @enum {string} */
      status:
        | 'pending_consent'
        | 'consent_failed'
        | 'authorized'
        | 'partly_captured'
        | 'captured'
        | 'released'
        | 'expired'
        | 'failed'
        | 'refunded';
      consent: {
        /** @enum {string} */
        status: 'pending' | 'successful' | 'failed' | 'cancelled';
        redirectURL?: string;
        checkedAt: string | null;
      };
      authorizations: components['schemas']['Authorization'][];
      captures: components['schemas']['Capture'][];
      refunds: components['schemas']['Refund'][];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      captureBy?: string;
      remaining: components['schemas']['Money'];
      partialCapture: boolean;
      multipleCapture: boolean;
      timeToCapture: number | null;
      merchantCategoryCode?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      releaseRequestedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      releasedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      expiredAt?: string;
      metadata: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      workflowId: string;
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    MerchantPaymentPage: {
      items: components['schemas']['MerchantPayment'][];
      nextCursor: string | null;
    };
    /** @description At most 10 pairs, keys of at most 40 and values of at most 200 characters; no personal data. */
    Metadata: {
      [key: string]: string;
    };
    /** @description An amount in minor units: 1999 is 19.99 EUR. In a request it is from 1 to 100000000. */
    Money: {
      /** Format: int64 */
      value: number;
      /** @enum {string} */
      currency: 'EUR';
    };
    /** @description The endpoint with its secret, which is shown this once. */
    NewWebhookSecret: {
      endpointId: string;
      url: string;
      types: string[];
      description: string | null;
      enabled: boolean;
      /** @enum {string} */
      disabledReason?: 'asked_for' | 'gone' | 'failing';
      /**
       * Format: date-time
       * @description In real time; the first failed try since the last delivery
       */
      failingSince?: string;
      /** @description Of the environment: EVENT_WEBHOOK_URL */
      readOnly: boolean;
      /**
       * Format: date-time
       * @description In real time
       */
      createdAt: string;
      /** @description Of the call that created or changed it */
      warnings?: string[];
      secret: string;
    };
    /** @description An object without fields. */
    NoFields: Record<string, never>;
    /** @description The note; null removes it. */
    NoteAttention: {
      note: string | null;
    };
    /** @description A notice to a payer or to the merchant, and whether it was delivered. */
    Notice: {
      noticeId: string;
      /** @enum {string} */
      type:
        | 'payment.failed'
        | 'payment.increase_announced'
        | 'subscription.paused'
        | 'subscription.resumed'
        | 'subscription.cancelled'
        | 'subscription.completed'
        | 'consent.failed'
        | 'cycle.missed'
        | 'cycle.failed'
        | 'cycle.unresolved'
        | 'capture.deadline_near';
      /** @enum {string} */
      to: 'payer' | 'merchant';
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'undeliverable';
      subscriptionId: string | null;
      /** @description Of a one-time payment */
      paymentId?: string;
      /** Format: int64 */
      cycle?: number;
      attempt?: number;
      data: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description Tries so far
       */
      deliveries: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      deliveredAt: string | null;
      channel?: string;
      /** @description Why it counts as delivered */
      evidence?: unknown;
      lastError?: string;
    };
    /** @description A notice counts as delivered. */
    NoticeDeliveredEvent: {
      /** @enum {string} */
      type: 'notice.delivered';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        noticeId: string | null;
        notice: string | null;
        cycle: number | null;
        attempt: number | null;
        channel: string | null;
      };
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    NoticePage: {
      items: components['schemas']['Notice'][];
      nextCursor: string | null;
    };
    /** @description A notice was given up. */
    NoticeUndeliverableEvent: {
      /** @enum {string} */
      type: 'notice.undeliverable';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        noticeId: string | null;
        notice: string | null;
        cycle: number | null;
        attempt: number | null;
        channel: string | null;
      };
    };
    /** @description Why the call is made, for the audit log. */
    OptionalReason: {
      reason?: string;
    };
    /** @description The period to compare. */
    OrderReconciliation: {
      /**
       * Format: date-time
       * @description Inclusive
       */
      from: string;
      /**
       * Format: date-time
       * @description Exclusive
       */
      to: string;
    };
    /** @description When the pause ends, and why it was made. */
    PauseSubscription: {
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      until?: string;
      reason?: string;
    };
    /** @description What the merchant says of the payer, besides the address. */
    PayerDetails: {
      /** Format: email */
      email?: string;
      reference?: string;
      /**
       * @description In which the payer is written to; en when absent
       * @enum {string}
       */
      language?: 'en' | 'de' | 'fr' | 'nl';
    };
    /** @description Everything that is stored of the payer. */
    PayerRecord: {
      reference: string;
      /** @description Of each subscription and payment, oldest first */
      records: components['schemas']['StoredRecord'][];
      /**
       * Format: int64
       * @description Answers kept for repeated requests
       */
      keptAnswers: number;
      /**
       * Format: int64
       * @description Events for your systems, kept for EVENT_RETENTION_DAYS
       */
      events: number;
      /** @description What keeps the payer from being erased, the first hundred */
      living: components['schemas']['Living'][];
    };
    /** @description The payer's bank has authorized the payment. */
    PaymentAuthorizedEvent: {
      /** @enum {string} */
      type: 'payment.authorized';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        authorizationId: string | null;
        captureBy: string | null;
      };
    };
    /** @description A Single Immediate payment is booked. */
    PaymentCapturedEvent: {
      /** @enum {string} */
      type: 'payment.captured';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        captureId: string | null;
      };
    };
    /** @description The deadline has passed: nothing more can be captured. */
    PaymentExpiredEvent: {
      /** @enum {string} */
      type: 'payment.expired';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        captureBy: string | null;
        captured: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
      };
    };
    /** @description The payment was not made. */
    PaymentFailedEvent: {
      /** @enum {string} */
      type: 'payment.failed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        authorizationId: string | null;
        captureId: string | null;
        detail: string | null;
      };
    };
    /** @description The authorization was given back: the payer is not debited. */
    PaymentReleasedEvent: {
      /** @enum {string} */
      type: 'payment.released';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
      };
    };
    /** @description A change of the amount that no cycle has collected yet. */
    PendingAmountChange: {
      amount: components['schemas']['Money'];
      previousAmount: components['schemas']['Money'];
      /** Format: int64 */
      fromCycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      effectiveAt: string;
      /** @enum {string} */
      kind: 'increase' | 'reduction' | 'unchanged';
      countsAsIncrease: boolean;
      /** @enum {string} */
      payerNotice: 'not_needed' | 'due' | 'sending' | 'delivered' | 'undeliverable';
    };
    /** @description The problem details of RFC 9457: what went wrong, for programs and for people. */
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      /** @enum {string} */
      code:
        | 'invalid_request'
        | 'unauthenticated'
        | 'forbidden'
        | 'limit_exceeded'
        | 'csrf_failed'
        | 'not_found'
        | 'method_not_allowed'
        | 'not_acceptable'
        | 'state_conflict'
        | 'amount_change_not_allowed'
        | 'retry_not_allowed'
        | 'refund_not_allowed'
        | 'capture_not_allowed'
        | 'token_used'
        | 'selection_changed'
        | 'approval_required'
        | 'approval_rejected'
        | 'approval_expired'
        | 'approval_used'
        | 'approval_mismatch'
        | 'halted'
        | 'idempotency_in_progress'
        | 'request_timeout'
        | 'cursor_expired'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'idempotency_key_reused'
        | 'rate_limited'
        | 'internal'
        | 'payment_service_unavailable'
        | 'not_ready';
      errors?: {
        path: string;
        message: string;
      }[];
    };
    /** @description The delivery is queued, and is sent in the background. */
    QueuedDelivery: {
      eventId: string;
      endpointId: string;
      /** Format: int64 */
      deliveryId: number;
    };
    /** @description Everything that is needed works; each check has its latency. */
    Readiness: {
      /** @enum {string} */
      status: 'ready';
      /** @description Whether all sending is halted; left out where it cannot be read */
      halted?: boolean;
      checks: {
        name: string;
        /** @enum {string} */
        status: 'ok' | 'failed';
        latencyMs: number;
        /**
         * @description The circuit breaker before it
         * @enum {string}
         */
        circuit?: 'closed' | 'open' | 'half_open';
      }[];
    };
    /** @description A call of this API, as it would be sent. */
    RecommendedCall: {
      /** @enum {string} */
      method: 'POST' | 'PATCH';
      path: string;
      body: {
        [key: string]: unknown;
      };
    };
    /** @description A difference between the ledger and the payment service. */
    ReconciliationDifference: {
      /** @enum {string} */
      kind:
        | 'authorization_unknown'
        | 'authorization_missing'
        | 'authorization_state'
        | 'authorization_amount'
        | 'debit_unknown'
        | 'debit_missing'
        | 'debit_state'
        | 'debit_amount'
        | 'refund_unknown'
        | 'refund_missing'
        | 'refund_state'
        | 'refund_amount'
        | 'not_compared';
      /** @description In plain words */
      text: string;
      /** @description Left out for a one-time payment */
      subscriptionId?: string;
      paymentId: string;
      /**
       * Format: int64
       * @description Left out where the ledger ties it to none
       */
      cycle?: number;
      authorizationId?: string;
      captureId?: string;
      /** @description The ledger's own id of a refund */
      refundId?: string;
      /** @description The service's id of a refund */
      serviceRefundId?: string;
      ledger?: components['schemas']['ReconciliationSide'];
      service?: components['schemas']['ReconciliationSide'];
    };
    /** @description Ledger and service disagree. */
    ReconciliationDifferenceEvent: {
      /** @enum {string} */
      type: 'reconciliation.difference';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        kind: string | null;
        cycle: number | null;
        authorizationId: string | null;
        captureId: string | null;
        refundId: string | null;
        serviceRefundId: string | null;
      };
    };
    /** @description A comparison of the ledger with the payment service. */
    ReconciliationJob: {
      jobId: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'reconciliation';
      /** @enum {string} */
      state: 'running' | 'finished' | 'failed' | 'stopped';
      /**
       * Format: int64
       * @description Payments compared so far
       */
      done: number;
      /** @description Null until it is known: while the job runs */
      total: number | null;
      /**
       * Format: int64
       * @description Payments of which the service gave no answer that could be read
       */
      refused: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /**
       * Format: int64
       * @description Found so far
       */
      differences: number;
      /** @description An API key's name, `dueday` for the daily run, or `command line` */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
      /** @description Why it failed */
      reason?: string;
    };
    /** @description A page of the differences that comparisons of the period have found. */
    ReconciliationReport: {
      items: components['schemas']['ReconciliationDifference'][];
      nextCursor: string | null;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @description In business time: all that was in the span by then has been compared. Null where a part of it never was */
      comparedAt: string | null;
      /**
       * Format: int64
       * @description How many payments were compared, by all comparisons that are told of
       */
      payments: number;
      /** Format: int64 */
      differences: number;
      /** @description Which comparison tells of which part of the span */
      compared: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        from: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        to: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        comparedAt: string;
        jobId: string;
      }[];
      /** @description Parts of the span that no comparison tells of */
      notCompared: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        from: string;
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        to: string;
      }[];
    };
    /** @description The record of one side: the state that the ledger or the service gives it. */
    ReconciliationSide: {
      state: string;
      amount: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
    };
    /** @description How many cycles were collected at once, recovered or lost. */
    RecoveryReport: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @enum {string} */
      by: 'attempt' | 'detail' | 'weekday' | 'hour' | 'repetition';
      items: {
        /** @description Null where there is none */
        key: string | null;
        /** @description Collected by the first attempt */
        firstAttempt: components['schemas']['Figure'];
        /** @description Refused at first, and collected by a retry */
        recovered: components['schemas']['Figure'];
        /** @description Refused, and not collected */
        lost: components['schemas']['Figure'];
        /** @description Refused, and not over */
        open: components['schemas']['Figure'];
        /** @description From the first refusal to the debit; null where nothing was recovered */
        hoursToRecover: {
          /** @description Hours, to the hundredth */
          median: number;
          /** @description Hours, to the hundredth */
          mean: number;
        } | null;
      }[];
      total: {
        /** @description Collected by the first attempt */
        firstAttempt: components['schemas']['Figure'];
        /** @description Refused at first, and collected by a retry */
        recovered: components['schemas']['Figure'];
        /** @description Refused, and not collected */
        lost: components['schemas']['Figure'];
        /** @description Refused, and not over */
        open: components['schemas']['Figure'];
        /** @description From the first refusal to the debit; null where nothing was recovered */
        hoursToRecover: {
          /** @description Hours, to the hundredth */
          median: number;
          /** @description Hours, to the hundredth */
          mean: number;
        } | null;
      };
      /** @description Null: the report has no further page. */
      nextCursor: string | null;
    };
    /** @description The refund, and whether it has succeeded. */
    Refund: {
      refundId: string;
      /** Format: int64 */
      cycle?: number;
      amount: components['schemas']['Money'];
      /** @enum {string} */
      status: 'pending' | 'successful' | 'failed';
      reason?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      captureId: string;
      detail?: string;
      description?: string;
    };
    /** @description The refund was not made. */
    RefundFailedEvent: {
      /** @enum {string} */
      type: 'refund.failed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        refundId: string | null;
        serviceRefundId: string | null;
        captureId: string | null;
        detail: string | null;
      };
    };
    /** @description The payer has the money back. */
    RefundSuccessfulEvent: {
      /** @enum {string} */
      type: 'refund.successful';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        refundId: string | null;
        serviceRefundId: string | null;
        captureId: string | null;
        detail: string | null;
      };
    };
    /** @description Whether the refund was made cannot be told. */
    RefundUnresolvedEvent: {
      /** @enum {string} */
      type: 'refund.unresolved';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        refundId: string | null;
        serviceRefundId: string | null;
        captureId: string | null;
        detail: string | null;
      };
    };
    /** @description The period, in business time, of which the events are sent again. */
    ReplayEvents: {
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      since: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and offset
       */
      until?: string;
      types?: string[];
      /** @default false */
      onlyFailed?: boolean;
    };
    /** @description A job that sends the events of a period again. */
    ReplayJob: {
      jobId: string;
      /**
       * @description discriminator enum property added by openapi-typescript
       * @enum {string}
       */
      kind: 'replay';
      /** @enum {string} */
      state: 'running' | 'finished' | 'stopped';
      /**
       * Format: int64
       * @description Events delivered or given up so far
       */
      done: number;
      /** Format: int64 */
      total: number;
      /**
       * Format: int64
       * @description Of `done`, events that had not been delivered before: these go first
       */
      newDone: number;
      /**
       * Format: int64
       * @description The same of `total`
       */
      newTotal: number;
      /**
       * Format: int64
       * @description Events given up: dead letters
       */
      refused: number;
      endpointId: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      until?: string;
      /** @description An API key's name */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      begunAt: string;
    };
    /** @description Why the call is made, for the audit log. */
    RequiredReason: {
      reason: string;
    };
    /** @description The endpoint to which the event is sent again. */
    ResendEvent: {
      endpointId: string;
    };
    /** @description The outcome of the capture, and the evidence for it. */
    ResolveCapture: {
      /** @enum {string} */
      outcome: 'successful' | 'failed';
      evidence: string;
      /** @description The service's own id of it: with `successful`, and only there */
      captureId?: string;
    };
    /** @description The outcome of the attempt, and the evidence for it. */
    ResolveCycle: {
      /** @enum {string} */
      outcome: 'collected' | 'failed';
      evidence: string;
      authorizationId?: string;
      captureId?: string;
      /**
       * Format: int64
       * @description With outcome failed, of an adopted debit: the cycle before, which it paid
       */
      paidCycle?: number;
    };
    /** @description The outcome of the refund, and the evidence for it. */
    ResolveRefund: {
      /** @enum {string} */
      outcome: 'successful' | 'failed';
      evidence: string;
      /** @description The service's own id of it: with `successful`, and only there */
      serviceRefundId?: string;
    };
    /** @description How well retries at other times would have done. */
    RetryAdvice: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      from: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      to: string;
      /** @description Cycles whose first attempt was refused as retryable: the whole sample */
      refused: components['schemas']['Figure'];
      items: {
        /**
         * Format: int64
         * @description After the first refusal
         */
        offsetHours: number;
        /** @description A retry had gone through by then */
        met: components['schemas']['Figure'];
        /** @description A retry was still refused then or later */
        refused: components['schemas']['Figure'];
        /** @description No attempt at a time that tells */
        unknown: components['schemas']['Figure'];
        /**
         * Format: int64
         * @description Retries made within three hours of it
         */
        tried: number;
        /**
         * Format: int64
         * @description Those of them that went through
         */
        collected: number;
      }[];
      /** @description Null: the report has no further page. */
      nextCursor: string | null;
    };
    /** @description For how long the old key stays valid. */
    RotateKey: {
      /**
       * @description For which the old key is still good
       * @default 24
       */
      overlapHours?: number;
      reason?: string;
    };
    /** @description For how long the old secret also signs. */
    RotateWebhookSecret: {
      /** @default 24 */
      overlapHours?: number;
    };
    /** @description The rule that a decision rests on, with its source. */
    Rule: {
      /** Format: int64 */
      decision: number;
      sentence: string;
      /** @enum {string} */
      source: 'reference' | 'dueday';
    };
    /** @description A cycle still to come. */
    ScheduledCycle: {
      /** Format: int64 */
      cycle: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      amount: components['schemas']['Money'];
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    ScheduledCyclePage: {
      items: components['schemas']['ScheduledCycle'][];
      nextCursor: string | null;
    };
    /** @description A subscription that the filter selects. */
    SelectedSubscription: {
      subscriptionId: string;
      /** @enum {string} */
      status: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
      /** @enum {string} */
      standing: 'needs_attention' | 'dunning' | 'past_due' | 'good';
      amount: components['schemas']['Money'];
      nextDueAt: string | null;
    };
    /** @description The session, its powers and when it ends. */
    Session: {
      /** @description Of the key: the trail names it with what is done in the session */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      /** @description Empty: the whole role */
      scopes: (
        | 'subscriptions:create'
        | 'subscriptions:steer'
        | 'payments:create'
        | 'payments:capture'
        | 'refunds'
        | 'imports'
        | 'reports'
        | 'bulk'
        | 'notices'
        | 'attention'
        | 'payers:read'
        | 'payers:erase'
        | 'endpoints'
        | 'events'
        | 'audit'
        | 'keys'
        | 'approvals'
      )[];
      /** @description Goes back as X-CSRF-Token with every write */
      csrfToken: string;
      /**
       * Format: date-time
       * @description Real time; put off by what a person asks
       */
      idleEndsAt: string;
      /**
       * Format: date-time
       * @description Real time
       */
      endsAt: string;
      /** @description Business time */
      clock: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        now: string;
        /** @description Business seconds a second */
        speed: number;
        isTest: boolean;
      };
      /** @description Whether Event Dependent payments may be refunded */
      eventDependentRefunds: boolean;
      /** @description Of Temporal's Web UI; a workflowId is added to it */
      workflowsUrl?: string;
    };
    /** @description A postal address as it is stored. */
    StoredAddress: {
      name: string;
      street: string;
      postalCode: string;
      city: string;
      country: string;
      email?: string;
    };
    /** @description What is stored of the payer with one subscription or payment. */
    StoredRecord: {
      /** @enum {string} */
      kind: 'subscription' | 'payment';
      subscriptionId?: string;
      /** @description Left out where the service has named none yet */
      paymentId?: string;
      /** @description draft before the service has answered */
      status: string;
      name?: string;
      email?: string;
      /** @enum {string} */
      language?: 'en' | 'de' | 'fr' | 'nl';
      billingAddress?: components['schemas']['StoredAddress'];
      shippingAddress?: components['schemas']['StoredAddress'];
      returnURL?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
    };
    /** @description The subscription, with its standing and its consent. */
    Subscription: {
      subscriptionId: string;
      paymentId: string | null;
      /** @enum {string} */
      status: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
      /** @enum {string} */
      standing: 'needs_attention' | 'dunning' | 'past_due' | 'good';
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      amount: components['schemas']['Money'];
      consentAmount: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      startAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      firstPaymentAt: string;
      endAt: string | null;
      nextDueAt: string | null;
      /** Format: int64 */
      cyclesCollected: number;
      consent: {
        /** @enum {string} */
        status: 'pending' | 'successful' | 'failed' | 'cancelled';
        redirectURL?: string;
        checkedAt: string | null;
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      pausedUntil?: string;
      /**
       * @description It is being cancelled: no new attempt is made, and the service has not confirmed yet
       * @enum {boolean}
       */
      cancelling?: true;
      /** @enum {string} */
      cancelledBy?: 'payer' | 'merchant';
      pendingAmountChange?: components['schemas']['PendingAmountChange'];
      replaces?: string;
      replacedBy?: string;
      payer: {
        /** @description Masked (a***@example.com) for viewers, and for keys with scopes, unless payers:read is among these */
        email?: string;
        reference?: string;
        /** @enum {string} */
        language?: 'en' | 'de' | 'fr' | 'nl';
      };
      metadata: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      workflowId: string;
      warnings?: string[];
    };
    /** @description The consent stands: the subscription is collected from now on. */
    SubscriptionActivatedEvent: {
      /** @enum {string} */
      type: 'subscription.activated';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycle: number | null;
        dueAt: string | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
      };
    };
    /** @description The consent has ended: nothing further is collected. */
    SubscriptionCancelledEvent: {
      /** @enum {string} */
      type: 'subscription.cancelled';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cancelledBy: string | null;
      };
    };
    /** @description The last cycle is final, and nothing is open. */
    SubscriptionCompletedEvent: {
      /** @enum {string} */
      type: 'subscription.completed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        cycles: number | null;
      };
    };
    /** @description The subscription exists, and its payer is asked for the consent, or has given it elsewhere. */
    SubscriptionCreatedEvent: {
      /** @enum {string} */
      type: 'subscription.created';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
      };
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    SubscriptionPage: {
      items: components['schemas']['Subscription'][];
      nextCursor: string | null;
    };
    /** @description Due dates are skipped until it is resumed. */
    SubscriptionPausedEvent: {
      /** @enum {string} */
      type: 'subscription.paused';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        until: string | null;
      };
    };
    /** @description Another subscription has taken its place. */
    SubscriptionReplacedEvent: {
      /** @enum {string} */
      type: 'subscription.replaced';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        by: string | null;
        from: string | null;
      };
    };
    /** @description The pause has ended. */
    SubscriptionResumedEvent: {
      /** @enum {string} */
      type: 'subscription.resumed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Left out of a test
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        subscriptionId: string | null;
        paymentId: string | null;
        metadata: {
          [key: string]: string;
        };
        payer: {
          reference: string | null;
        };
        reason: string | null;
        /** @description The number of the rule in docs/rules.md */
        rule: number | null;
        /** @description In plain words */
        text: string;
        since: string | null;
      };
    };
    /** @description The type of the sample. */
    TestWebhookEndpoint: {
      /**
       * @default endpoint.test
       * @enum {string}
       */
      type?:
        | 'subscription.created'
        | 'subscription.activated'
        | 'subscription.paused'
        | 'subscription.resumed'
        | 'subscription.cancelled'
        | 'subscription.completed'
        | 'subscription.replaced'
        | 'consent.failed'
        | 'cycle.upcoming'
        | 'cycle.collected'
        | 'cycle.dunning'
        | 'cycle.failed'
        | 'cycle.skipped'
        | 'cycle.missed'
        | 'cycle.unresolved'
        | 'cycle.resolved'
        | 'amount_change.accepted'
        | 'amount_change.withdrawn'
        | 'amount_change.dropped'
        | 'amount_change.applied'
        | 'refund.successful'
        | 'refund.failed'
        | 'refund.unresolved'
        | 'payment.authorized'
        | 'payment.captured'
        | 'payment.released'
        | 'payment.expired'
        | 'payment.failed'
        | 'capture.successful'
        | 'capture.failed'
        | 'capture.unresolved'
        | 'capture.deadline_near'
        | 'notice.delivered'
        | 'notice.undeliverable'
        | 'attention.opened'
        | 'attention.cleared'
        | 'reconciliation.difference'
        | 'audit.head'
        | 'endpoint.disabled'
        | 'endpoint.recovered'
        | 'endpoint.test';
    };
    /** @description What needs attention now, and what the day has brought. */
    TodayReport: {
      /**
       * Format: date
       * @description Today, in the time zone
       */
      day: string;
      timeZone: string;
      /** @description Open attention items, and the money that they concern; a halt is not one of them */
      needsAttention: components['schemas']['Figure'];
      /** @description Open cycles whose deadline is within 24 hours and of which nothing is pending or successful */
      atRisk: components['schemas']['Figure'];
      /** @description Cycles in `dunning` */
      inRetry: components['schemas']['Figure'];
      /** @description Subscriptions, active or paused, whose last due cycle is `failed` or `missed`; the amount is that of the cycle */
      pastDue: components['schemas']['Figure'];
      /** @description Cycles refused on this day, each once */
      refusedToday: components['schemas']['Figure'];
      /** @description Debits that succeeded on this day */
      collectedToday: components['schemas']['Figure'];
      /** @description Cycles that fall due on this day, including those still to come */
      dueToday: components['schemas']['Figure'];
      /** @description Successful attempts as a share of those that were answered, in periods of 168 hours */
      successRate: {
        /** @description From 0 to 1; null if nothing was answered */
        last7Days: number | null;
        /** @description From 0 to 1; null if nothing was answered */
        previous7Days: number | null;
      };
      /** @description Null unless sending is halted */
      halted: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        since: string;
        by: string;
        reason: string;
      } | null;
    };
    /** @description How and when the payer was told, and the evidence for it. */
    ToldByPerson: {
      /** @description How the payer was told, such as phone */
      channel: string;
      /**
       * Format: date-time
       * @description After what is told of, and not ahead of now
       */
      toldAt: string;
      /** @description For the trail; without personal data */
      evidence: string;
    };
    /** @description One movement of money. */
    Transaction: {
      transactionId: string;
      /** @enum {string} */
      type: 'debit' | 'capture' | 'refund';
      /**
       * @description What is not known yet is pending
       * @enum {string}
       */
      status: 'pending' | 'successful' | 'failed';
      amount: components['schemas']['Money'];
      bookedAt: string | null;
      /**
       * Format: date-time
       * @description When it began; the list is in this order
       */
      createdAt: string;
      /** @enum {string} */
      plan: 'SUBSCRIPTION' | 'SINGLE' | 'EVENT_DEPENDENT';
      subscriptionId?: string;
      paymentId: string;
      /** Format: int64 */
      cycle?: number;
      attempt?: number;
      authorizationId?: string;
      /** @description Of a refund: what it gives back */
      captureId?: string;
      refundId?: string;
      /** @description The service's id of a refund */
      serviceRefundId?: string;
      /** @description Of a capture that was ordered here */
      orderId?: string;
      /** @description Why it failed */
      detail?: string;
      /** @description The payer's */
      reference?: string;
      /** @description Of the subscription or the payment */
      metadata: {
        [key: string]: string;
      };
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    TransactionPage: {
      items: components['schemas']['Transaction'][];
      nextCursor: string | null;
    };
    /** @description The delivery of one event to one endpoint; all its instants are real time. */
    WebhookDelivery: {
      /** Format: int64 */
      deliveryId: number;
      eventId: string;
      type: string;
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'dead';
      /** @description A sample, which no list of events has and nothing sends again */
      test: boolean;
      /** @description A replay or a resend */
      again: boolean;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      endedAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextTryAt?: string;
      /** @description Why it is not sent yet: its endpoint is disabled, another event of its subject comes first, or its time has not come; left out if it is due */
      waitingFor?:
        | {
            /** @enum {string} */
            kind: 'endpoint';
          }
        | {
            /** @enum {string} */
            kind: 'event';
            eventId: string;
          }
        | {
            /** @enum {string} */
            kind: 'time';
            /**
             * Format: date-time
             * @description YYYY-MM-DDThh:mm:ss.sssZ
             */
            until: string;
          };
      tries: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        at: string;
        status: number | null;
        /** Format: int64 */
        ms: number;
        error: string | null;
        /** @description The first 2 kB, for 7 days; for admins */
        answer?: string | null;
      }[];
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    WebhookDeliveryPage: {
      items: components['schemas']['WebhookDelivery'][];
      nextCursor: string | null;
    };
    /** @description An endpoint that receives events. */
    WebhookEndpoint: {
      endpointId: string;
      url: string;
      types: string[];
      description: string | null;
      enabled: boolean;
      /** @enum {string} */
      disabledReason?: 'asked_for' | 'gone' | 'failing';
      /**
       * Format: date-time
       * @description In real time; the first failed try since the last delivery
       */
      failingSince?: string;
      /** @description Of the environment: EVENT_WEBHOOK_URL */
      readOnly: boolean;
      /**
       * Format: date-time
       * @description In real time
       */
      createdAt: string;
      /** @description Of the call that created or changed it */
      warnings?: string[];
    };
    /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
    WebhookEndpointPage: {
      items: components['schemas']['WebhookEndpoint'][];
      nextCursor: string | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The process lives. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Everything that is needed works; each check has its latency. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      503: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listSubscriptions: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description Inclusive */
        createdFrom?: string;
        /** @description Exclusive */
        createdTo?: string;
        /** @description Inclusive */
        dueFrom?: string;
        /** @description Exclusive */
        dueTo?: string;
        metadata?: components['schemas']['Metadata'];
        q?: string;
        /** @description The latest first where there is a hyphen. By dueAt, only those that have one are listed */
        sort?: '-createdAt' | 'createdAt' | '-dueAt' | 'dueAt';
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /** @description ISO 8601 with date, time of day and offset */
        dueBefore?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SubscriptionPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateSubscription'];
      };
    };
    responses: {
      /** @description The subscription is created, and waits for the consent of its payer. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description The path of what was created or started. */
          Location?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changeSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeMetadata'];
      };
    };
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listCycles: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CyclePage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getSchedule: {
    parameters: {
      query?: {
        count?: number;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ScheduledCyclePage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resumeSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['OptionalReason'];
      };
    };
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  acknowledgeSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  restartSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  pauseSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['PauseSubscription'];
      };
    };
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  cancelSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['OptionalReason'];
      };
    };
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The cancellation is accepted; the payment service has not confirmed it yet. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  checkConsent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NoFields'];
      };
    };
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changeAmount: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeAmount'];
      };
    };
    responses: {
      /** @description The change of an amount, and from which cycle on it holds. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AmountChange'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  withdrawAmountChange: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  skipCycle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
        n: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['OptionalReason'];
      };
    };
    responses: {
      /** @description One due date of a subscription, with its attempts and refunds. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  retryCycle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
        n: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description The next attempt is ordered, and is made in the background. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resolveCycle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
        n: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResolveCycle'];
      };
    };
    responses: {
      /** @description One due date of a subscription, with its attempts and refunds. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listPayments: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description Inclusive */
        createdFrom?: string;
        /** @description Exclusive */
        createdTo?: string;
        /** @description Inclusive */
        dueFrom?: string;
        /** @description Exclusive */
        dueTo?: string;
        metadata?: components['schemas']['Metadata'];
        q?: string;
        /** @description The latest first where there is a hyphen. By dueAt, only those that have one are listed */
        sort?: '-createdAt' | 'createdAt' | '-dueAt' | 'dueAt';
        status?:
          | 'pending_consent'
          | 'consent_failed'
          | 'authorized'
          | 'partly_captured'
          | 'captured'
          | 'released'
          | 'expired'
          | 'failed'
          | 'refunded';
        plan?: 'SINGLE' | 'EVENT_DEPENDENT';
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPaymentPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreatePayment'];
      };
    };
    responses: {
      /** @description The payment is created, and waits for the consent of its payer. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description The path of what was created or started. */
          Location?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A one-time payment, with its captures and refunds. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changePayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeMetadata'];
      };
    };
    responses: {
      /** @description A one-time payment, with its captures and refunds. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listPaymentEvents: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  capturePayment: {
    parameters: {
      query?: never;
      header: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key': string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateCapture'];
      };
    };
    responses: {
      /** @description The capture is ordered; its `status` says whether it has succeeded. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Capture'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  releasePayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['OptionalReason'];
      };
    };
    responses: {
      /** @description A one-time payment, with its captures and refunds. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The release is ordered; the payment service has not confirmed it yet. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  checkPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NoFields'];
      };
    };
    responses: {
      /** @description A one-time payment, with its captures and refunds. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  restartPayment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description A one-time payment, with its captures and refunds. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  refundCycle: {
    parameters: {
      query?: never;
      header: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key': string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
        n: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRefund'];
      };
    };
    responses: {
      /** @description The refund is ordered; its `status` says whether it has succeeded. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  refundPayment: {
    parameters: {
      query?: never;
      header: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key': string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateRefund'];
      };
    };
    responses: {
      /** @description The refund is ordered; its `status` says whether it has succeeded. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resolveCapture: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        orderId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResolveCapture'];
      };
    };
    responses: {
      /** @description The capture, and whether it has succeeded. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Capture'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resolveRefund: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        refundId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResolveRefund'];
      };
    };
    responses: {
      /** @description The refund, and whether it has succeeded. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listAudit: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        subscriptionId?: string;
        paymentId?: string;
        actor?: string;
        keyId?: string;
        type?: string;
        /** @description ISO 8601 with date, time of day and offset */
        from?: string;
        /** @description ISO 8601 with date, time of day and offset */
        to?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditEntryPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  redactAuditEntry: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description One entry of the audit log. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditEntry'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listTransactions: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description Inclusive; by `bookedAt`, and by `createdAt` of what is not booked */
        from?: string;
        /** @description Exclusive; as `from` */
        to?: string;
        type?: 'debit' | 'capture' | 'refund';
        status?: 'pending' | 'successful' | 'failed';
        subscriptionId?: string;
        paymentId?: string;
        /** @description The payer's */
        reference?: string;
        /** @description The transactionId behind which the list goes on, in place of a cursor */
        after?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list; with Accept: text/csv all of it is streamed. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TransactionPage'];
          'text/csv': string;
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listMerchantEvents: {
    parameters: {
      query?: {
        /** @description The nextCursor of a page before */
        after?: string;
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; several are separated by commas */
        types?: string;
        subscriptionId?: string;
        paymentId?: string;
        limit?: number;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the events; its `nextCursor` leads on, also to later events. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantEventPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listWebhookEndpoints: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpointPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateWebhookEndpoint'];
      };
    };
    responses: {
      /** @description The endpoint is created; its secret is shown this once. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description The path of what was created or started. */
          Location?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewWebhookSecret'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An endpoint that receives events. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  deleteWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An endpoint that receives events. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changeWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangeWebhookEndpoint'];
      };
    };
    responses: {
      /** @description An endpoint that receives events. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateWebhookSecret'];
      };
    };
    responses: {
      /** @description The endpoint with its secret, which is shown this once. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewWebhookSecret'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        state?: 'pending' | 'delivered' | 'dead';
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; several are separated by commas */
        type?: string;
        status?: number;
        /** @description ISO 8601 with date, time of day and offset */
        from?: string;
        /** @description ISO 8601 with date, time of day and offset */
        to?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDeliveryPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  replayEvents: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReplayEvents'];
      };
    };
    responses: {
      /** @description The job is started; `Location` names it. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description The path of what was created or started. */
          Location?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayJob'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  testWebhookEndpoint: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['TestWebhookEndpoint'];
      };
    };
    responses: {
      /** @description The delivery is queued, and is sent in the background. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueuedDelivery'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resendEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResendEvent'];
      };
    };
    responses: {
      /** @description The delivery is queued, and is sent in the background. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueuedDelivery'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  streamEvents: {
    parameters: {
      query?: {
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; several are separated by commas */
        types?: string;
        subscriptionId?: string;
        paymentId?: string;
        /** @description Adds `event: change` for every write, with the id of its subject alone, and `event: installation_change` with `{}` for one that is of no subscription and no payment, each at most once a second */
        changes?: 'true' | 'false';
      };
      header?: {
        /** @description The id of the last event that was received. The stream continues after it. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Each event is sent as `id`, `event` and `data`, and a comment if nothing else was sent for 15 s. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listAttention: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        kind?: string;
        /** @description Empty: items without an assignee */
        assignee?: string;
        /** @description The largest first where there is a hyphen; without a deadline, last */
        sort?: '-since' | 'since' | 'deadline' | '-amount';
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AttentionPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  assignAttention: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        item: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AssignAttention'];
      };
    };
    responses: {
      /** @description An item that needs an operator. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  noteAttention: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        item: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NoteAttention'];
      };
    };
    responses: {
      /** @description An item that needs an operator. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  closeAttention: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        item: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CloseAttention'];
      };
    };
    responses: {
      /** @description An item that needs an operator. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listNotices: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        state?: 'pending' | 'delivered' | 'undeliverable';
        type?:
          | 'payment.failed'
          | 'payment.increase_announced'
          | 'subscription.paused'
          | 'subscription.resumed'
          | 'subscription.cancelled'
          | 'subscription.completed'
          | 'consent.failed'
          | 'cycle.missed'
          | 'cycle.failed'
          | 'cycle.unresolved'
          | 'capture.deadline_near';
        subscriptionId?: string;
        /** @description Of a one-time payment */
        paymentId?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NoticePage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  resendNotice: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['NoFields'];
      };
    };
    responses: {
      /** @description The notice is queued, and is sent in the background. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Notice'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  recordTold: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ToldByPerson'];
      };
    };
    responses: {
      /** @description A notice to a payer or to the merchant, and whether it was delivered. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Notice'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  changePayer: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePayer'];
      };
    };
    responses: {
      /** @description The subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getPayer: {
    parameters: {
      query?: never;
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Everything that is stored of the payer. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PayerRecord'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  erasePayer: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        reference: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description The personal data was erased; the counts say of what. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErasedPayer'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportCollections: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive; at most 3660 days after `from` */
        to: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The sums of each day, and of the whole period. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CollectionsReport'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listDeadlines: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeadlinePage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportForecast: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive; at most 366 days after `from` */
        to: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What falls due on each day of the period. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ForecastReport'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportRecovery: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive; at most 3660 days after `from` */
        to: string;
        /** @description The last attempt's number, its UTC weekday (1 is Monday) or hour; the first refusal's detail; the repetition */
        by?: 'attempt' | 'detail' | 'weekday' | 'hour' | 'repetition';
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The report, or with Accept: text/csv its items as CSV. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecoveryReport'];
          'text/csv': string;
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  adviseRetries: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive; at most 3660 days after `from` */
        to: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How well retries at other times would have done. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RetryAdvice'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportToday: {
    parameters: {
      query?: {
        /** @description Name in the IANA time zone database, such as Europe/Berlin; UTC if it is left out */
        timeZone?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What needs attention now, and what the day has brought. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TodayReport'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listFailingPayers: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of them, or with Accept: text/csv all of them, streamed. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailingPayerPage'];
          'text/csv': string;
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportReconciliation: {
    parameters: {
      query: {
        /** @description Inclusive */
        from: string;
        /** @description Exclusive */
        to: string;
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the differences that comparisons of the period have found. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReconciliationReport'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  orderReconciliation: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrderReconciliation'];
      };
    };
    responses: {
      /** @description The comparison is started; `Location` names its job. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description The path of what was created or started. */
          Location?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  runBulk: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['Bulk'];
      };
    };
    responses: {
      /** @description What the filter selects, and the token that starts the job; nothing is done yet. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BulkDryRun'];
        };
      };
      /** @description The job is started; `Location` names it. */
      202: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description The path of what was created or started. */
          Location?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listJobs: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        kind?: 'reconciliation' | 'bulk' | 'replay';
        state?: 'running' | 'finished' | 'failed' | 'stopped';
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job and its progress. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  stopJob: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The job and its progress. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listJobResults: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description Of a bulk: these alone */
        state?: 'done' | 'refused';
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of what the job has found or done so far. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobResults'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getHalt: {
    parameters: {
      query?: never;
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Whether all sending is halted, and by whom and why. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  haltSending: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description Whether all sending is halted, and by whom and why. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  liftHalt: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['OptionalReason'];
      };
    };
    responses: {
      /** @description Whether all sending is halted, and by whom and why. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listKeys: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateKey'];
      };
    };
    responses: {
      /** @description The key was created; its secret is shown this once. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description The path of what was created or started. */
          Location?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedKey'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rotateKey: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['RotateKey'];
      };
    };
    responses: {
      /** @description The new key; its secret is shown this once. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description The path of what was created or started. */
          Location?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IssuedKey'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  revokeKey: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': components['schemas']['OptionalReason'];
      };
    };
    responses: {
      /** @description An API key without its secret. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Key'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listApprovals: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        state?: 'pending' | 'approved' | 'rejected' | 'used' | 'expired';
      };
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Its `nextCursor` leads to the next page, and is null on the last one. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApprovalPage'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  approveRequest: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description A request that a second person must approve, and the decision on it. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  rejectRequest: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller for each request, and sent again with each repetition of it: for 24 hours a repetition is answered as the request was, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RequiredReason'];
      };
    };
    responses: {
      /** @description A request that a second person must approve, and the decision on it. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Present on the answer to a repeated request that was carried out before. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description An `ETag` that the caller has. If it is still current, the answer is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session, its powers and when it ends. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description The caller’s copy, which `If-None-Match` names, is current. */
      304: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Changes with the answer; for `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  openSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session is open; the cookie carries it. */
      201: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndedSession'];
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  importSubscriptions: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `approvalId` of a second person’s approval of this request, after an answer 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Writes that are authenticated by the cookie need it; with a key it is not read. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/x-ndjson': string;
        'text/csv': string;
      };
    };
    responses: {
      /** @description One line of JSON for each line of the file, in order. */
      200: {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
      /** @description The request was refused; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was not carried out, or it is not known whether it was. */
      '5XX': {
        headers: {
          /** @description The id of the request, by which the log of the service names it. */
          'X-Request-Id'?: string;
          /** @description Seconds after which the request may be repeated; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  onSubscriptionCreated: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionCreatedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSubscriptionActivated: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionActivatedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSubscriptionPaused: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionPausedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSubscriptionResumed: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionResumedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSubscriptionCancelled: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionCancelledEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSubscriptionCompleted: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionCompletedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onSubscriptionReplaced: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SubscriptionReplacedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onConsentFailed: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ConsentFailedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCycleUpcoming: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CycleUpcomingEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCycleCollected: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CycleCollectedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCycleDunning: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CycleDunningEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCycleFailed: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CycleFailedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCycleSkipped: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CycleSkippedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCycleMissed: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CycleMissedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCycleUnresolved: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CycleUnresolvedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCycleResolved: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CycleResolvedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onAmountChangeAccepted: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AmountChangeAcceptedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onAmountChangeWithdrawn: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AmountChangeWithdrawnEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onAmountChangeDropped: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AmountChangeDroppedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onAmountChangeApplied: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AmountChangeAppliedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onRefundSuccessful: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RefundSuccessfulEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onRefundFailed: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RefundFailedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onRefundUnresolved: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RefundUnresolvedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentAuthorized: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentAuthorizedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentCaptured: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentCapturedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentReleased: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentReleasedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentExpired: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentExpiredEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentFailed: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentFailedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCaptureSuccessful: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CaptureSuccessfulEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCaptureFailed: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CaptureFailedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCaptureUnresolved: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CaptureUnresolvedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCaptureDeadlineNear: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CaptureDeadlineNearEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onNoticeDelivered: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NoticeDeliveredEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onNoticeUndeliverable: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NoticeUndeliverableEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onAttentionOpened: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AttentionOpenedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onAttentionCleared: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AttentionClearedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onReconciliationDifference: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReconciliationDifferenceEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onAuditHead: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['AuditHeadEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onEndpointDisabled: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EndpointDisabledEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onEndpointRecovered: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EndpointRecoveredEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onEndpointTest: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event, the same in every repetition. */
        'webhook-id': string;
        /** @description The seconds since 1970 at which this repetition was signed. */
        'webhook-timestamp': string;
        /** @description The signatures by the secrets of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EndpointTestEvent'];
      };
    };
    responses: {
      /** @description The endpoint has taken the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is posted again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}

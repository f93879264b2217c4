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
     * Returns 200 while the process is alive
     * @description Returns 200 while the process is alive.
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
     * Returns whether everything required is available, with latencies; the payment service is shown but not required
     * @description Returns whether everything required is available, with latencies; the payment service is shown but not required.
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
     * Lists subscriptions, newest first by default
     * @description Lists subscriptions, newest first by default.
     */
    get: operations['listSubscriptions'];
    put?: never;
    /**
     * Creates a subscription and opens a consent session; the payer has 10 minutes to approve
     * @description Creates a subscription and opens a consent session; the payer has 10 minutes to approve.
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
     * Returns a subscription
     * @description Returns a subscription.
     */
    get: operations['getSubscription'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Replaces the metadata of a subscription, and nothing else
     * @description Replaces the metadata of a subscription, and nothing else.
     */
    patch: operations['changeSubscription'];
    trace?: never;
  };
  '/v1/subscriptions/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Streams subscriptions in the format of an import, as NDJSON or CSV
     * @description The lines that `POST /v1/subscriptions/import` accepts, oldest subscription first, with `state`: the status, and accepted pauses, skips, postponements and changes of amount that still apply. `collectFrom` is the earliest due date for which nothing has been sent. Addresses and e-mails are included for admins whose key may read payers. A subscription that has ended is exported, but an import refuses its line.
     */
    get: operations['exportSubscriptions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
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
     * Lists the cycles of a subscription with their attempts, newest first
     * @description Lists the cycles of a subscription with their attempts, newest first.
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
     * Lists the upcoming cycles of a subscription
     * @description Lists the upcoming cycles of a subscription.
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
     * Lists the audit log of a subscription, newest first (not its webhook events)
     * @description Lists the audit log of a subscription, newest first (not its webhook events).
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
     * Resumes a paused subscription; due dates are unchanged, and there are no arrears
     * @description Resumes a paused subscription; due dates are unchanged, and there are no arrears.
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
     * Acknowledges the open attention items of a subscription and clears its standing `needs_attention`
     * @description Acknowledges the open attention items of a subscription and clears its standing `needs_attention`.
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
     * Restarts the workflow of a subscription from the ledger if none is running; otherwise 409
     * @description Restarts the workflow of a subscription from the ledger if none is running; otherwise 409.
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
     * Pauses a subscription; due dates within the pause are skipped permanently
     * @description Pauses a subscription; due dates within the pause are skipped permanently.
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
     * Cancels a subscription: no further attempts are made, and the consent is deleted at the payment service
     * @description Cancels a subscription: no further attempts are made, and the consent is deleted at the payment service.
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
     * Checks the consent to a subscription at the payment service now, for example when the payer has returned
     * @description Checks the consent to a subscription at the payment service now, for example when the payer has returned.
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
     * Changes the amount of a subscription from a given cycle on; with dryRun, only shows the effect
     * @description Changes the amount of a subscription from a given cycle on; with dryRun, only shows the effect.
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
     * Withdraws a pending change of the amount of a subscription
     * @description Withdraws a pending change of the amount of a subscription.
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
     * Skips a cycle permanently; only before its first attempt
     * @description Skips a cycle permanently; only before its first attempt.
     */
    post: operations['skipCycle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/postpone': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Postpones the first attempt of a cycle inside its collection window; to undo it, postpone to the due date
     * @description Postpones the first attempt of a cycle inside its collection window; to undo it, postpone to the due date.
     */
    post: operations['postponeCycle'];
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
     * Makes the next retry of a cycle now, or at the given instant, instead of at its planned time
     * @description Makes the next retry of a cycle now, or at the given instant, instead of at its planned time.
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
     * Resolves, with evidence, an attempt whose outcome the payment service does not show
     * @description Resolves, with evidence, an attempt whose outcome the payment service does not show.
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
     * Lists one-time payments, newest first by default
     * @description Lists one-time payments, newest first by default.
     */
    get: operations['listPayments'];
    put?: never;
    /**
     * Creates a one-time payment and opens a consent session; the payer has 10 minutes to approve
     * @description Creates a one-time payment and opens a consent session; the payer has 10 minutes to approve.
     */
    post: operations['createPayment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/subscriptions/{id}/cycles/{n}/payment-link': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Opens a session in which the payer pays a failed or missed cycle; the payer has 10 minutes
     * @description Creates a Single Immediate payment of the amount of the cycle. Refused while the collection window is open, while an outcome is unknown, and while another link of the cycle is open.
     */
    post: operations['createPaymentLink'];
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
     * Returns a one-time payment
     * @description Returns a one-time payment.
     */
    get: operations['getPayment'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Replaces the metadata of a one-time payment, and nothing else
     * @description Replaces the metadata of a one-time payment, and nothing else.
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
     * Lists the audit log of a one-time payment, newest first (not its webhook events)
     * @description Lists the audit log of a one-time payment, newest first (not its webhook events).
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
     * Captures the authorized amount, or part of it as far as the flags allow
     * @description Captures the authorized amount, or part of it as far as the flags allow.
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
     * Releases an authorization of which nothing has been captured; 200 once the payment service has confirmed, 202 until then
     * @description Releases an authorization of which nothing has been captured; 200 once the payment service has confirmed, 202 until then.
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
     * Checks the consent to a one-time payment at the payment service now, for example when the payer has returned
     * @description Checks the consent to a one-time payment at the payment service now, for example when the payer has returned.
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
     * Restarts the workflow of a one-time payment from the ledger if none is running; otherwise 409
     * @description Restarts the workflow of a one-time payment from the ledger if none is running; otherwise 409.
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
     * Refunds what a cycle has collected, or part of it
     * @description Refunds what a cycle has collected, or part of it.
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
     * Refunds a capture, or part of it
     * @description Refunds a capture, or part of it.
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
     * Resolves, with evidence, a capture whose outcome the payment service does not show
     * @description Resolves, with evidence, a capture whose outcome the payment service does not show.
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
     * Resolves, with evidence, a refund whose outcome the payment service does not show
     * @description Resolves, with evidence, a refund whose outcome the payment service does not show.
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
     * Lists the audit log, newest first; `from` is inclusive, `to` exclusive
     * @description Lists the audit log, newest first; `from` is inclusive, `to` exclusive.
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
     * Permanently removes the free text of an audit entry, which is then shown as `[redacted]`
     * @description Affects `reason`, `evidence`, `note`, `message`, `description` and `error` in `data`, and the values before and after a change of metadata (`was`, `is`); everything else remains, and the hash chain stays valid. The same text is also removed from other records of the same subscription or payment. The response is 409 if the entry has no free text, or its text was already removed.
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
     * Lists all transactions, oldest first, or streams all of them as CSV
     * @description Debits, captures and refunds of all plans, one item each, in the order in which they started, which never changes. A transaction that dueday learns of later, such as a Single Immediate payment that is polled after an outage or a debit of another system that is adopted, takes its place among the earlier ones: to follow transactions as they happen, read events, not this list from its last item on. With `Accept: text/csv`, all items are streamed regardless of `limit`: a header, then one line per item (RFC 4180), with amounts in cents and as decimals. So that no spreadsheet evaluates a cell as a formula, an apostrophe is inserted before `=`, `+`, `-`, `@`, a tab or a line break at the beginning of a text or after `;`, `,`, a tab or a quote. To resume an interrupted stream, pass the transactionId of its last complete line as `after`.
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
     * Lists the events for the merchant's systems, oldest first by default, as an alternative to webhooks
     * @description Lists the events for the merchant's systems, oldest first by default, as an alternative to webhooks.
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
  '/v1/events/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Returns an event as it is posted to endpoints, with its deliveries; samples are found, too
     * @description Returns an event as it is posted to endpoints, with its deliveries; samples are found, too.
     */
    get: operations['getMerchantEvent'];
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
     * Lists the endpoints: first the configured one, then oldest first
     * @description Lists the endpoints: first the configured one, then oldest first.
     */
    get: operations['listWebhookEndpoints'];
    put?: never;
    /**
     * Creates an endpoint, which receives events from now on; its secret is shown only once
     * @description Creates an endpoint, which receives events from now on; its secret is shown only once.
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
     * Returns an endpoint
     * @description Returns an endpoint.
     */
    get: operations['getWebhookEndpoint'];
    put?: never;
    post?: never;
    /**
     * Deletes an endpoint, with its pending and past deliveries
     * @description Deletes an endpoint, with its pending and past deliveries.
     */
    delete: operations['deleteWebhookEndpoint'];
    options?: never;
    head?: never;
    /**
     * Changes an endpoint; enabling it or changing its URL sends pending events at once
     * @description Changes an endpoint; enabling it or changing its URL sends pending events at once.
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
     * Replaces the secret of an endpoint, and shows the new one only once; the old one is also used during the overlap
     * @description Replaces the secret of an endpoint, and shows the new one only once; the old one is also used during the overlap.
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
     * Lists the deliveries to an endpoint, newest first, with each try; admins also see the responses
     * @description Lists the deliveries to an endpoint, newest first, with each try; admins also see the responses.
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
     * Resends the events of a period to an endpoint, undelivered ones first, or counts them with `dryRun`; `Location` is the path of the job
     * @description Resends the events of a period to an endpoint, undelivered ones first, or counts them with `dryRun`; `Location` is the path of the job.
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
     * Sends a sample event of a type, with `test: true`, to one endpoint only; no list of events shows the sample
     * @description Sends a sample event of a type, with `test: true`, to one endpoint only; no list of events shows the sample.
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
     * Resends an event to an endpoint at once, with the same id, together with the pending events of the endpoint
     * @description Resends an event to an endpoint at once, with the same id, together with the pending events of the endpoint.
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
     * Streams events as they occur (text/event-stream), from Last-Event-ID on, or from now
     * @description Streams events as they occur (text/event-stream), from Last-Event-ID on, or from now.
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
     * Lists what waits for an operator, and why: a halt of all sending first, then the rest in the requested order
     * @description Lists what waits for an operator, and why: a halt of all sending first, then the rest in the requested order.
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
     * Assigns an attention item to an operator; null removes the assignee
     * @description Assigns an attention item to an operator; null removes the assignee.
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
     * Replaces the note of an attention item; null removes the note
     * @description Replaces the note of an attention item; null removes the note.
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
     * Closes an attention item that has been explained or is no longer needed
     * @description Only items about a difference, a contradiction, an incomplete list, a refused record, an undelivered notice of a coming debit or dead letters can be closed; all other items close when their cause ends, or when they are acknowledged.
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
     * Lists the notices to payers and to the merchant, newest first
     * @description Lists the notices to payers and to the merchant, newest first.
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
  '/v1/notices/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Returns the e-mail of a notice as an invented payer would get it, in the given language
     * @description Returns the e-mail of a notice as an invented payer would get it, in the given language.
     */
    get: operations['previewNotice'];
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
     * Delivers a notice again at once, with the same webhook-id; an undeliverable notice is reopened
     * @description Delivers a notice again at once, with the same webhook-id; an undeliverable notice is reopened.
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
     * Records that the payer was notified by other means: the notice counts as delivered, and a retry that waits for it can follow
     * @description Records that the payer was notified by other means: the notice counts as delivered, and a retry that waits for it can follow.
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
     * Changes the payer's e-mail, reference or language; undelivered notices are sent to the new e-mail at once
     * @description Changes the payer's e-mail, reference or language; undelivered notices are sent to the new e-mail at once.
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
     * Returns all data stored about a payer, across subscriptions, payments and drafts
     * @description Returns all data stored about a payer, across subscriptions, payments and drafts.
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
     * Permanently erases all personal data of a payer, across subscriptions, payments and drafts
     * @description Records of money are kept. The response is 409 with `living` while something is still in progress, such as an active subscription, an undelivered notice or an undelivered event. The reason is stored and must not name the payer.
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
     * Reports what fell due and its outcome, by the UTC day of the due date
     * @description Every figure is attributed to the due date of its cycle, regardless of when it was collected or refunded. `due` is what has fallen due so far: the sum of `collected`, `failed`, `skipped`, `missed` and `open`. `refunded` is part of `collected`.
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
     * Lists the open cycles, earliest deadline first
     * @description Cycles that have fallen due and are not final. A cycle whose first attempt has not started is `scheduled`; if a subscription has several of them, only the earliest is listed.
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
     * Forecasts what will fall due, by the UTC day of the due date
     * @description Calculated from the schedules of active subscriptions, and of paused ones from the end of their pause, each with the amount that its next cycle collects. Cycles that have been attempted are not included in `due`. `hoursToCollect` includes first attempts, retries, the current backlog, and polls of payments that have been pending for over an hour.
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
     * Reports what retries have recovered, for cycles due in the period
     * @description Each cycle that the bank has answered counts once, regardless of the number of attempts. Skipped cycles are excluded, and missed ones unless the payer has paid them by a link: neither was ever refused.
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
     * Estimates the result of retries at other times within the 72 hours, from the history of the period
     * @description For information only: nothing is changed automatically. The estimate assumes that money which was once in the account stayed there.
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
     * Reports what needs attention now, and the results of the day so far
     * @description For subscriptions, without one-time payments; only `needsAttention` counts all open attention items, except a halt. `refusedToday`, `collectedToday` and `dueToday` refer to the calendar day in the given time zone; all other figures are as of now.
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
     * Lists the payers whose last due cycle was refused and has not been collected, or streams all of them as CSV
     * @description One item for each such active or paused subscription, ordered by id. With `Accept: text/csv`, all items are streamed regardless of `limit`, as in `GET /v1/transactions`. The e-mail address is included if the key may see it.
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
  '/v1/reports/subscriptions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Counts the subscriptions of a list, and adds up what their next cycles collect
     * @description Takes the filters of the list of subscriptions. At most 100000 subscriptions are counted.
     */
    get: operations['reportSubscriptions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/reports/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Counts the tries of the last 24 hours at each endpoint, by the hour
     * @description Counts the tries of the last 24 hours at each endpoint, by the hour.
     */
    get: operations['reportDeliveries'];
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
     * Lists the differences that comparisons of the ledger with the payment service have found
     * @description Reports, for each part of the period, the result of its latest finished comparison, including the daily ones. It does not start a comparison. `comparedAt` is the time up to which everything in the period has been compared; it is null if a part of the period, listed in `notCompared`, has never been compared.
     */
    get: operations['reportReconciliation'];
    put?: never;
    /**
     * Compares the ledger with the payment service in a background job
     * @description Reads every payment (of subscriptions and one-time) that had not ended before `from`, or was changed since, from the payment service, and compares the records dated within the period. Transactions in progress do not count as differences. Nothing is changed. Only one comparison runs at a time: a repeated request for the same period returns the running job; a request for another period returns 409 `state_conflict` with the `jobId`, `from` and `to` of the running one.
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
     * Makes the same call for each of many subscriptions, after a dry run
     * @description With `dryRun`, shows what the filter selects and returns a token, which is valid once, for 15 minutes, with the same key. With that token, starts a job that makes the call for each selected subscription; refused calls do not stop the others. If the selection or the state of a selected subscription has changed since, the response is 409 `selection_changed` with the changes. Requires the role of the individual call; at most 50000 subscriptions.
     */
    post: operations['runBulk'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/holds': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Lists holds, newest first, with the number of collection windows that end before each hold does
     * @description Lists holds, newest first, with the number of collection windows that end before each hold does.
     */
    get: operations['listHolds'];
    put?: never;
    /**
     * Holds the subscriptions that a filter matches: after the response, no attempt of theirs begins
     * @description Due dates are not skipped: collection continues at `until`, or as soon as the hold is lifted. Cycles whose window ends before that are missed. What is held is fixed now: subscriptions created or changed later are not held. At most 50000 subscriptions; `POST /v1/halt` stops all sending. 503: the hold is in force, but a send that started before has not ended yet; repeat the request with the same Idempotency-Key.
     */
    post: operations['createHold'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/holds/{id}': {
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
     * Lifts a hold: attempts whose time has come are made if their window is still open
     * @description A hold that has ended remains unchanged.
     */
    delete: operations['liftHold'];
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
     * @description Returns only jobs of the kinds that the scopes of the key permit. Dry runs are not jobs.
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
     * Returns a job and its progress
     * @description Returns a job and its progress.
     */
    get: operations['getJob'];
    put?: never;
    post?: never;
    /**
     * Stops a job after the current payment, subscription or event; earlier results remain
     * @description Stops a job after the current payment, subscription or event; earlier results remain.
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
     * Lists the differences that a reconciliation has found so far, or the outcome of a bulk job for each subscription
     * @description Lists the differences that a reconciliation has found so far, or the outcome of a bulk job for each subscription.
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
     * Returns whether all sending is halted
     * @description Returns whether all sending is halted.
     */
    get: operations['getHalt'];
    put?: never;
    /**
     * Halts all sending: after the response, nothing is debited, captured or refunded until the halt is lifted
     * @description Requests already sent to the payment service are followed to their end; pause, cancel, release and consent checks still work. If sending is already halted, the response shows the existing halt with its reason.
     */
    post: operations['haltSending'];
    /**
     * Lifts the halt: cycles still within their window are sent within a minute
     * @description A halt because of a restored ledger can be lifted only once everything has been compared with the payment service since the restore, and no difference waits for an operator; until then, the response is 409 and says what is missing.
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
     * Lists the keys, including revoked ones, oldest first
     * @description Lists the keys, including revoked ones, oldest first.
     */
    get: operations['listKeys'];
    put?: never;
    /**
     * Creates a key; its secret is shown only once
     * @description A key that is limited in scopes, amounts or time can only create keys with the same or narrower limits. A key with a refund limit cannot create keys that may refund.
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
     * Replaces a key, which ends after the overlap; the new secret is shown only once
     * @description The new key takes over name, role, holder, scopes, limits and expiry. Both keys share their Idempotency-Keys.
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
     * Revokes a key immediately and permanently
     * @description Revokes a key immediately and permanently.
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
     * Lists requests that wait for a second person, and decided ones, newest first
     * @description Lists requests that wait for a second person, and decided ones, newest first.
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
     * Approves the request of another person, who then repeats it with the id of the approval
     * @description Approves the request of another person, who then repeats it with the id of the approval.
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
     * Rejects a request, even an approved one whose approval has not been used yet
     * @description Rejects a request, even an approved one whose approval has not been used yet.
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
     * Returns the current session
     * @description Returns the current session.
     */
    get: operations['getSession'];
    put?: never;
    /**
     * Exchanges an API key for a browser session in the cookie __Host-dueday
     * @description Exchanges an API key for a browser session in the cookie __Host-dueday.
     */
    post: operations['openSession'];
    /**
     * Ends the current session immediately
     * @description Ends the current session immediately.
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
     * Imports existing mandates: one per line, with one line in the response for each, in order
     * @description Imports existing mandates: one per line, with one line in the response for each, in order.
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
     * The subscription was created; its payer is asked for the consent, or has given it elsewhere
     * @description The subscription was created; its payer is asked for the consent, or has given it elsewhere.
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
     * The consent was granted: the subscription is collected from now on
     * @description The consent was granted: the subscription is collected from now on.
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
     * Another subscription has replaced it
     * @description Another subscription has replaced it.
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
     * The payer did not give the consent
     * @description The payer did not give the consent.
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
     * A cycle falls due within CYCLE_UPCOMING_DAYS days
     * @description A cycle falls due within CYCLE_UPCOMING_DAYS days.
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
     * The cycle was collected; `late` if its window had closed
     * @description The cycle was collected; `late` if its window had closed.
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
     * An attempt was refused, and a retry is planned; `willRetry` is therefore always true
     * @description An attempt was refused, and a retry is planned; `willRetry` is therefore always true.
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
     * The cycle was not collected
     * @description The cycle was not collected.
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
     * The cycle was skipped: it is not collected
     * @description The cycle was skipped: it is not collected.
     */
    post: operations['onCycleSkipped'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'cycle.postponed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The first attempt of the cycle was moved inside its window; without `postponedUntil`, back to its due date
     * @description The first attempt of the cycle was moved inside its window; without `postponedUntil`, back to its due date.
     */
    post: operations['onCyclePostponed'];
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
     * The window closed, and no attempt had reached the bank
     * @description The window closed, and no attempt had reached the bank.
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
     * It is unknown whether an attempt made a debit
     * @description It is unknown whether an attempt made a debit.
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
     * An operator resolved the cycle
     * @description An operator resolved the cycle.
     */
    post: operations['onCycleResolved'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment_link.created': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A link was created by which the payer can pay a failed or missed cycle: `linkPaymentId` is its one-time payment
     * @description A link was created by which the payer can pay a failed or missed cycle: `linkPaymentId` is its one-time payment.
     */
    post: operations['onPaymentLinkCreated'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment_link.paid': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The payer has paid a cycle by a link; `isSecondDebit` if the cycle had been collected meanwhile
     * @description The payer has paid a cycle by a link; `isSecondDebit` if the cycle had been collected meanwhile.
     */
    post: operations['onPaymentLinkPaid'];
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
     * A change of the amount was accepted
     * @description A change of the amount was accepted.
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
     * A pending change was withdrawn
     * @description A pending change was withdrawn.
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
     * A pending change was no longer allowed or could not be announced in time; the old amount is collected
     * @description A pending change was no longer allowed or could not be announced in time; the old amount is collected.
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
     * A cycle was collected at a different amount than the previous one
     * @description A cycle was collected at a different amount than the previous one.
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
     * The payer was refunded
     * @description The payer was refunded.
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
     * The refund failed
     * @description The refund failed.
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
     * It is unknown whether the refund was made
     * @description It is unknown whether the refund was made.
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
     * The authorization was released: the payer is not debited
     * @description The authorization was released: the payer is not debited.
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
     * The payment failed
     * @description The payment failed.
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
     * A capture succeeded
     * @description A capture succeeded.
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
     * A capture failed
     * @description A capture failed.
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
     * It is unknown whether a capture was made
     * @description It is unknown whether a capture was made.
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
     * Money is left to capture one day before the deadline
     * @description Money is left to capture one day before the deadline.
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
     * A notice could not be delivered and was given up
     * @description A notice could not be delivered and was given up.
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
     * An attention item was opened: an operator is needed
     * @description An attention item was opened: an operator is needed.
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
     * An attention item was cleared
     * @description An attention item was cleared.
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
     * The ledger and the payment service disagree
     * @description The ledger and the payment service disagree.
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
     * Once a day: the number of links in the hash chain of the audit log, and the hash of the last one
     * @description Once a day: the number of links in the hash chain of the audit log, and the hash of the last one.
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
     * An endpoint was disabled: nothing is sent to it until it is enabled again
     * @description An endpoint was disabled: nothing is sent to it until it is enabled again.
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
     * An endpoint that had been disabled was enabled again, and has accepted an event
     * @description An endpoint that had been disabled was enabled again, and has accepted an event.
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
      /**
       * Format: idn-email
       * @description An e-mail address; letters of every script are allowed
       */
      email?: string;
    };
    /** @description A change of the amount, and the first cycle it applies to. */
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
    /** @description A change of the amount was accepted. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description A cycle was collected at a different amount than the previous one. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description A pending change was no longer allowed or could not be announced in time; the old amount is collected. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description A pending change was withdrawn. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
       * @description `used`: the permitted request was started; the approval permits no other
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
      /** @description Further details of the request */
      facts: {
        [key: string]: unknown;
      };
      /** @description The name of the API key that made the request */
      requestedBy: string;
      /** @description The holder of the key that made the request; another person must approve */
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
      /** @description The name of the API key that approved or rejected */
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
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
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
      /** @description Whether another system made the debit, and it was adopted as the debit of this cycle */
      adopted: boolean;
    };
    /** @description An item that needs an operator. */
    Attention: {
      /** @description The id of the item; if the same problem occurs again, the id is the same */
      item: string;
      kind: string;
      subscriptionId: string | null;
      paymentId: string | null;
      orderId?: string;
      /** @description Only for dead letters */
      endpointId?: string;
      /** @description Null if the item does not concern a cycle */
      cycle: number | null;
      /** @description Only for items of a subscription or a payment */
      payer?: components['schemas']['Payer'];
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
      /** @description What the item means, and what an operator should do */
      explanation: string;
      /** @description Null if an operator must investigate first */
      recommended: components['schemas']['RecommendedCall'] | null;
      /** @description The amount concerned; null if the item concerns no money */
      amount: components['schemas']['Money'] | null;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      since: string;
      /** @description Until when an operator can still change the outcome */
      deadline: string | null;
      ledger: components['schemas']['Evidence'] | null;
      /** @description Null if the payment service has no such record, or cannot be asked */
      service: components['schemas']['Evidence'] | null;
      /** @description The records of both sides, field by field */
      evidence: components['schemas']['EvidenceRow'][];
      /** @description Ids of other open items of the same subscription or payment, at most 20 */
      related: string[];
      assignee: string | null;
      note: string | null;
    };
    /** @description An attention item was cleared. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        itemKey: string | null;
        cycle: number | null;
      };
    };
    /** @description An attention item was opened: an operator is needed. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        itemKey: string | null;
        cycle: number | null;
      };
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    AttentionPage: {
      items: components['schemas']['Attention'][];
      nextCursor: string | null;
    };
    /** @description One entry of the audit log. */
    AuditEntry: {
      /**
       * Format: int64
       * @description The id for `POST /v1/audit/{id}/redact`
       */
      id: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
      actor: string;
      /** @description The id of the API key that acted, also through a session; null if no key listed by `GET /v1/keys` acted */
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
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    AuditEntryPage: {
      items: components['schemas']['AuditEntry'][];
      nextCursor: string | null;
    };
    /** @description Once a day: the number of links in the hash chain of the audit log, and the hash of the last one. */
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description A dry run of the same call for many subscriptions, or the start of the job. */
    Bulk: {
      /** @enum {string} */
      action?: 'pause' | 'resume' | 'cancel' | 'retry' | 'consent-check' | 'acknowledge' | 'amount-change';
      /** @description The body of the call for one subscription; a retry applies to the cycle that waits for a retry */
      parameters?: {
        [key: string]: unknown;
      };
      /** @description The filters of the list of subscriptions, and subscriptionIds; at least one */
      filter?: {
        /**
         * Format: date-time
         * @description Only items created at or after this time
         */
        createdFrom?: string;
        /**
         * Format: date-time
         * @description Only items created before this time
         */
        createdTo?: string;
        /**
         * Format: date-time
         * @description Only subscriptions next due, or payments with `captureBy`, at or after this time
         */
        dueFrom?: string;
        /**
         * Format: date-time
         * @description Only subscriptions next due, or payments with `captureBy`, before this time
         */
        dueTo?: string;
        /** @description Matches items that have all of these pairs, each given as metadata[key]=value */
        metadata?: components['schemas']['Metadata'];
        /** @description Searches ids, and references, names and e-mail addresses of payers */
        q?: string;
        /** @enum {string} */
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        /** @enum {string} */
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        /** @enum {string} */
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /**
         * Format: date-time
         * @description Only subscriptions next due before this time, as with `dueTo`
         */
        dueBefore?: string;
        /** @description Selects these subscriptions; an id without a subscription selects nothing */
        subscriptionIds?: string[];
      };
      /** @default false */
      dryRun?: boolean;
      /** @description The token of the dry run, which starts the job. Any other fields must be the same as in the dry run */
      token?: string;
    };
    /** @description What the filter selects, and the token that starts the job. Nothing has been done yet. */
    BulkDryRun: {
      /** @enum {string} */
      action: 'pause' | 'resume' | 'cancel' | 'retry' | 'consent-check' | 'acknowledge' | 'amount-change';
      /** Format: int64 */
      total: number;
      /** @description Number of subscriptions by status */
      counts: {
        [key: string]: number;
      };
      /** @description The total that the next cycles of the subscriptions collect */
      amount: components['schemas']['Money'];
      /** @description That total after the change of amount */
      amountAfter?: components['schemas']['Money'];
      /** @description The first 20 */
      items: components['schemas']['SelectedSubscription'][];
      /** @description Starts the job; valid once, and only while the selection is unchanged */
      token: string;
      /**
       * Format: date-time
       * @description In real time
       */
      tokenValidUntil: string;
    };
    /** @description A job that makes the same call for each of many subscriptions. */
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
       * @description Subscriptions processed so far, including refused ones
       */
      done: number;
      /** Format: int64 */
      total: number;
      /**
       * Format: int64
       * @description Subscriptions for which the call was refused
       */
      refused: number;
      action: string;
      /** @description The name of the API key that started the job */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      startedAt: string;
    };
    /** @description The outcome of the job for one subscription. */
    BulkResult: {
      subscriptionId: string;
      /**
       * @description `not_done`: the job was stopped before this subscription
       * @enum {string}
       */
      state: 'waiting' | 'done' | 'refused' | 'not_done';
      /** @description In business time; null until processed */
      at: string | null;
      /** @description The problem details returned by the call */
      problem?: components['schemas']['Problem'];
    };
    /** @description A capture and its status. */
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
    /** @description Money is left to capture one day before the deadline. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description A capture failed. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description A capture succeeded. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description It is unknown whether a capture was made. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description The new amount, and the first cycle that collects it. */
    ChangeAmount: {
      amount: components['schemas']['Money'];
      fromCycle?: number;
      /** @default false */
      dryRun?: boolean;
      reason?: string;
    };
    /** @description The new metadata, which replaces the existing one. */
    ChangeMetadata: {
      /** @description Replaces all existing metadata */
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
    /** @description The totals of each day and of the whole period. */
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
      /** @description Always null: the report has a single page. */
      nextCursor: string | null;
    };
    /** @description The payer did not give the consent. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
      };
    };
    /** @description The amount to capture. */
    CreateCapture: {
      amount: components['schemas']['Money'];
      /**
       * @description Closes the payment and releases the remaining amount
       * @default false
       */
      finalCapture?: boolean;
    };
    /** @description What is held, when the hold ends automatically, and the reason for it. */
    CreateHold: {
      /** @description The same filters as for the list of subscriptions; at least one */
      filter: {
        /**
         * Format: date-time
         * @description Only items created at or after this time
         */
        createdFrom?: string;
        /**
         * Format: date-time
         * @description Only items created before this time
         */
        createdTo?: string;
        /**
         * Format: date-time
         * @description Only subscriptions next due, or payments with `captureBy`, at or after this time
         */
        dueFrom?: string;
        /**
         * Format: date-time
         * @description Only subscriptions next due, or payments with `captureBy`, before this time
         */
        dueTo?: string;
        /** @description Matches items that have all of these pairs, each given as metadata[key]=value */
        metadata?: components['schemas']['Metadata'];
        /** @description Searches ids, and references, names and e-mail addresses of payers */
        q?: string;
        /** @enum {string} */
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        /** @enum {string} */
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        /** @enum {string} */
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /**
         * Format: date-time
         * @description Only subscriptions next due before this time, as with `dueTo`
         */
        dueBefore?: string;
      };
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      until: string;
      reason: string;
    };
    /** @description The name, role and powers of the new key. */
    CreateKey: {
      /** @description Identifies the key in the audit log: each name can be used only once, ignoring case */
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      /** @description The person responsible for the key, who cannot approve their own requests */
      holder?: string;
      /**
       * Format: date-time
       * @description Real time at which the key expires; without it, the key does not expire
       */
      expiresAt?: string;
      /** @description Restricts the key to parts of its role; without scopes, it has the whole role */
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
    /** @description The payment, and the address to which the payer returns after the consent session. */
    CreatePayment: {
      /** @enum {string} */
      plan: 'SINGLE' | 'EVENT_DEPENDENT';
      amount: components['schemas']['Money'];
      returnURL: string;
      billingAddress: components['schemas']['Address'];
      shippingAddress?: components['schemas']['Address'];
      payer?: components['schemas']['PayerDetails'];
      /** @description Seconds after the authorization within which captures are possible; EVENT_DEPENDENT only */
      timeToCapture?: number;
      /** @default false */
      partialCapture?: boolean;
      /** @default false */
      multipleCapture?: boolean;
      merchantCategoryCode?: string;
      metadata?: components['schemas']['Metadata'];
    };
    /** @description The address to which the payer returns after paying, and the reason for the link. */
    CreatePaymentLink: {
      returnURL: string;
      reason?: string;
    };
    /** @description The amount to refund, and the capture it belongs to. */
    CreateRefund: {
      amount: components['schemas']['Money'];
      captureId?: string;
      reason?: string;
    };
    /** @description The subscription, its payer, and the address to which the payer returns after the consent session. */
    CreateSubscription: {
      amount: components['schemas']['Money'];
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      startAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      firstPaymentAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
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
    /** @description The URL of the endpoint, and the event types it receives. */
    CreateWebhookEndpoint: {
      url: string;
      types: string[];
      description?: string;
      /** @default true */
      enabled?: boolean;
    };
    /** @description The key was created; its secret is shown only once. */
    CreatedKey: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description The first characters of the key */
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
      /** @description The id of the key that this one replaced */
      replaces?: string;
      key: string;
      /**
       * Format: date-time
       * @description Real time at which the bootstrap key ends because there is now an admin key
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
      /**
       * Format: date-time
       * @description When the first attempt is made, or was, instead of at the due date
       */
      postponedUntil?: string;
      retriesLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      retryUntil?: string;
      attempts: components['schemas']['Attempt'][];
      refunds: components['schemas']['Refund'][];
      /** @description The newest payment link of a failed or missed cycle */
      paymentLink?: components['schemas']['CyclePaymentLink'];
    };
    /** @description The cycle was collected; `late` if its window had closed. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description An attempt was refused, and a retry is planned; `willRetry` is therefore always true. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description The cycle was not collected. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description The window closed, and no attempt had reached the bank. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    CyclePage: {
      items: components['schemas']['Cycle'][];
      nextCursor: string | null;
    };
    /** @description The payment by which the payer can pay the cycle, or has paid it. */
    CyclePaymentLink: {
      paymentId: string;
      /**
       * @description `paid` remains, also if the payment is refunded
       * @enum {string}
       */
      state: 'open' | 'paid' | 'ended';
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      paidAt?: string;
    };
    /** @description The first attempt of the cycle was moved inside its window; without `postponedUntil`, back to its due date. */
    CyclePostponedEvent: {
      /** @enum {string} */
      type: 'cycle.postponed';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        dueAt: string | null;
        postponedUntil: string | null;
      };
    };
    /** @description An operator resolved the cycle. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description The cycle was skipped: it is not collected. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description It is unknown whether an attempt made a debit. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description A cycle falls due within CYCLE_UPCOMING_DAYS days. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description An open cycle, and the hours left to collect it. */
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
       * @description The earlier of `collectBy` and `retryUntil`
       */
      deadline: string;
      /** @description Hours left, rounded down to two decimals; 0 once the time is over */
      hoursLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      collectBy: string;
      /** @description Hours left, rounded down to two decimals; 0 once the time is over */
      collectHoursLeft: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      retryUntil?: string;
      /** @description Hours left, rounded down to two decimals; 0 once the time is over */
      retryHoursLeft?: number;
      /** @description Omitted before the first failure */
      retriesLeft?: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      nextAttemptAt?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      postponedUntil?: string;
      /** @description Attempts started so far; repeated sends of one attempt count once */
      attempts: number;
      /** @description The payer's reference */
      reference?: string;
      payer: components['schemas']['Payer'];
      /** @description Why the cycle was last refused, in plain words; omitted if it never was */
      lastRefusal?: string;
      /** @description The amount lost if the deadline passes; 0 while an attempt is pending or successful */
      atRisk: components['schemas']['Money'];
      /** @description Empty if the cycle only waits for its planned time */
      blockedBy: (
        | 'time_over'
        | 'halted'
        | 'on_hold'
        | 'paused'
        | 'cancelling'
        | 'outcome_unresolved'
        | 'outcome_unknown'
        | 'other_cycle_unknown'
        | 'awaiting_answer'
        | 'pending_at_service'
        | 'capture_failed'
        | 'not_sent'
        | 'notice_undelivered'
        | 'notice_undeliverable'
      )[];
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    DeadlinePage: {
      items: components['schemas']['Deadline'][];
      nextCursor: string | null;
    };
    /** @description The tries of the last 24 hours at each endpoint that had any, by the hour; all times are real time. */
    DeliveriesReport: {
      items: {
        endpointId: string;
        /** @description 24 hours, the oldest first, the present one last */
        hours: {
          /**
           * Format: date-time
           * @description The start of the hour
           */
          from: string;
          /**
           * Format: int64
           * @description Tries that the endpoint answered with 2xx
           */
          delivered: number;
          /**
           * Format: int64
           * @description All other tries
           */
          failed: number;
        }[];
      }[];
      /** @description Always null: the report has a single page */
      nextCursor: null;
    };
    /** @description The session has ended. */
    EndedSession: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      endedAt: string;
    };
    /** @description An endpoint was disabled: nothing is sent to it until it is enabled again. */
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        endpointId: string | null;
      };
    };
    /** @description An endpoint that had been disabled was enabled again, and has accepted an event. */
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        endpointId: string | null;
      };
    };
    /** @description The personal data was erased; the counts show from how many records. */
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
       * @description Drafts removed; the payment service had never answered
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
      /** @description The id of the API key that acted, also through a session; null if no key listed by `GET /v1/keys` acted */
      keyId: string | null;
      type: string;
      /** @description The entry in a few plain sentences */
      text: string;
      rule: components['schemas']['Rule'] | null;
      data: {
        [key: string]: unknown;
      };
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    EventPage: {
      items: components['schemas']['Event'][];
      nextCursor: string | null;
    };
    /** @description An event as it is posted to endpoints, and its deliveries. */
    EventWithDeliveries: {
      type: string;
      /** @description The webhook-id; the same in all tries and replays */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Increases by one within a subscription or payment
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        [key: string]: unknown;
      };
      /** @description Newest first, at most 200 */
      deliveries: components['schemas']['WebhookDelivery'][];
    };
    /** @description What one side, the ledger or the payment service, has recorded. */
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
    /** @description One field in the records of ledger and payment service; null if a side has no value. */
    EvidenceRow: {
      /** @enum {string} */
      what: 'state' | 'amount' | 'at' | 'id' | 'detail';
      ledger: string | null;
      service: string | null;
      /** @description Whether the two contradict each other */
      differs: boolean;
    };
    /** @description What an installation had accepted for a subscription that it exported. */
    ExportedState: {
      /**
       * @description Only active and paused subscriptions are imported
       * @enum {string}
       */
      status: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      pausedSince?: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      pausedUntil?: string;
      skippedCycles?: number[];
      postponements?: {
        cycle: number;
        /**
         * Format: date-time
         * @description ISO 8601 with date, time of day and UTC offset
         */
        until: string;
      }[];
      pendingAmountChange?: {
        amount: components['schemas']['Money'];
        fromCycle: number;
      };
    };
    /** @description A payer whose last due cycle was refused and has not been collected. */
    FailingPayer: {
      subscriptionId: string;
      /** @description The payer's reference */
      reference?: string;
      /** @description Omitted if the key may not see e-mail addresses */
      email?: string;
      /** Format: int64 */
      cycle: number;
      /**
       * @description Status of the cycle
       * @enum {string}
       */
      status: 'scheduled' | 'collecting' | 'dunning' | 'collected' | 'failed' | 'skipped' | 'missed' | 'unresolved';
      amount: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueAt: string;
      /** @description Why the cycle was last refused, in plain words */
      lastRefusal: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      refusedAt: string;
      /**
       * Format: date-time
       * @description Omitted if no retry is planned
       */
      nextAttemptAt?: string;
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    FailingPayerPage: {
      items: components['schemas']['FailingPayer'][];
      nextCursor: string | null;
    };
    /** @description A total amount, and the number of payments in it. */
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
         * @description How many of these cycles are postponed, so that their first attempt is made later; omitted if there are none
         */
        postponed?: number;
        /**
         * Format: int64
         * @description Cycles whose next retry is planned for the day
         */
        openRetries: number;
        /**
         * Format: int64
         * @description How many of these retries were planned for before now and have not been made; omitted if there are none
         */
        overdueRetries?: number;
        /** @description Hours that the cap on calls needs for this day, including the backlog of the previous day; rounded up to two decimals. Null without a cap */
        hoursToCollect: number | null;
      }[];
      total: {
        due: components['schemas']['Figure'];
        /**
         * Format: int64
         * @description Retries planned for before now, also before the period, that have not been made; omitted if there are none
         */
        overdueRetries?: number;
      };
      /** @description Always null: the report has a single page. */
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
      /** @description The name of the API key, or dueday if the ledger was restored */
      by?: string;
      reason?: string;
    };
    /** @description The process is alive. */
    Health: {
      /** @enum {string} */
      status: 'ok';
    };
    /** @description A hold: until it ends, no attempt of the matched subscriptions begins. */
    Hold: {
      holdId: string;
      /** @enum {string} */
      state: 'in_force' | 'ended' | 'lifted';
      filter: components['schemas']['HoldFilter'];
      /**
       * Format: date-time
       * @description When the hold ends automatically
       */
      until: string;
      reason: string;
      /**
       * Format: int64
       * @description Number of subscriptions held, fixed when the hold was created
       */
      matched: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      /** @description The name of the API key that created the hold */
      createdBy: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      endedAt?: string;
      /** @description The name of the API key that lifted the hold */
      liftedBy?: string;
      /** @description When the first collection window ends while the hold is in force, as computed in the last hour; null if none does */
      firstWindowLostAt: string | null;
      /** @description The windows of the next 14 days that end while the hold is in force, by hour, as computed in the last hour */
      windowsLost: components['schemas']['WindowsLost'][];
    };
    /** @description The filter that selected the subscriptions when the hold was created. */
    HoldFilter: {
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdFrom?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdTo?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueFrom?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueTo?: string;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      dueBefore?: string;
      metadata?: components['schemas']['Metadata'];
      /** @description Shown as *** to keys that see no e-mail addresses */
      q?: string;
      /** @enum {string} */
      status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
      /** @enum {string} */
      standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
      /** @enum {string} */
      repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    HoldPage: {
      items: components['schemas']['Hold'][];
      nextCursor: string | null;
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
          /**
           * @description Present in a dry run: nothing was stored
           * @enum {boolean}
           */
          dryRun?: true;
          /**
           * @description Present if the mandate had already been imported: the line added nothing
           * @enum {boolean}
           */
          duplicate?: true;
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
    /** @description One line of the file: an existing mandate. */
    ImportLine: {
      amount: components['schemas']['Money'];
      /** @enum {string} */
      repetition: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      startAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      firstPaymentAt: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
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
       * @description ISO 8601 with date, time of day and UTC offset
       */
      lastIncreaseAt?: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      collectFrom?: string;
      state?: components['schemas']['ExportedState'];
    };
    /** @description The new key; its secret is shown only once. */
    IssuedKey: {
      keyId: string;
      name: string;
      /** @enum {string} */
      role: 'viewer' | 'operator' | 'admin';
      holder?: string;
      /** @description The first characters of the key */
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
      /** @description The id of the key that this one replaced */
      replaces?: string;
      key: string;
    };
    /** @description A job and its progress. */
    Job:
      | components['schemas']['ReconciliationJob']
      | components['schemas']['BulkJob']
      | components['schemas']['ReplayJob'];
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    JobPage: {
      items: components['schemas']['Job'][];
      nextCursor: string | null;
    };
    /** @description A page of the results of the job so far. */
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
      /** @description The first characters of the key */
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
      /** @description The id of the key that this one replaced */
      replaces?: string;
    };
    /** @description The most that the key may refund in 24 hours, and the most by which one call may change the amounts collected. */
    KeyLimits: {
      refundPerDay?: components['schemas']['Money'];
      changePerCall?: components['schemas']['Money'];
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    KeyPage: {
      items: components['schemas']['Key'][];
      nextCursor: string | null;
    };
    /** @description Something that still prevents the erasure of the payer. */
    Living: {
      /** @enum {string} */
      kind: 'subscription' | 'payment' | 'draft' | 'attempt' | 'order' | 'notice' | 'attention' | 'event' | 'job';
      subscriptionId?: string;
      /** @description For a one-time payment */
      paymentId?: string;
      /** @description The status, state, kind or type of this entry */
      state: string;
    };
    /** @description An event as it is posted to endpoints; the fields of `data` depend on the type. */
    MerchantEvent: {
      type: string;
      /** @description The webhook-id; the same in all tries and replays */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Increases by one within a subscription or payment
       */
      sequence?: number;
      /** @enum {integer} */
      schema: 1;
      test: boolean;
      data: {
        [key: string]: unknown;
      };
    };
    /** @description A page of events. Its `nextCursor` is always present. It leads to later events or, with `order=newest`, to earlier ones; a page of earlier events with fewer than `limit` items is the last. */
    MerchantEventPage: {
      items: components['schemas']['MerchantEvent'][];
      /** @description Where to continue; always present, even if there are no further events */
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
      payer: components['schemas']['Payer'];
      metadata: components['schemas']['Metadata'];
      /** @description The failed or missed cycle that this payment pays, if it was made by payment link */
      link?: {
        subscriptionId: string;
        /** Format: int64 */
        cycle: number;
      };
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      workflowId: string;
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    MerchantPaymentPage: {
      items: components['schemas']['MerchantPayment'][];
      nextCursor: string | null;
    };
    /** @description At most 10 pairs, with keys of at most 40 and values of at most 200 characters. Do not store personal data here. */
    Metadata: {
      [key: string]: string;
    };
    /** @description An amount in minor units: 1999 is 19.99 EUR. In requests from 1 to 100000000. */
    Money: {
      /** Format: int64 */
      value: number;
      /** @enum {string} */
      currency: 'EUR';
    };
    /** @description The endpoint with its secret, which is shown only once. */
    NewWebhookSecret: {
      endpointId: string;
      url: string;
      types: string[];
      description: string | null;
      enabled: boolean;
      /** @enum {string} */
      disabledReason?: 'disabled_by_admin' | 'gone' | 'failing';
      /**
       * Format: date-time
       * @description In real time: the first failed try since the last delivery
       */
      failingSince?: string;
      /** @description True for the endpoint configured as EVENT_WEBHOOK_URL */
      readOnly: boolean;
      /**
       * Format: date-time
       * @description In real time
       */
      createdAt: string;
      /** @description Only in the response to a call that creates or changes the endpoint: what may be a mistake */
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
        | 'payment.upcoming'
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
      /** @description For a one-time payment */
      paymentId?: string;
      /** Format: int64 */
      cycle?: number;
      attempt?: number;
      data: {
        [key: string]: unknown;
      };
      /**
       * Format: int64
       * @description Number of tries so far
       */
      deliveries: number;
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      deliveredAt: string | null;
      channel?: string;
      /** @description Why the notice counts as delivered */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        noticeId: string | null;
        notice: string | null;
        cycle: number | null;
        attempt: number | null;
        channel: string | null;
      };
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    NoticePage: {
      items: components['schemas']['Notice'][];
      nextCursor: string | null;
    };
    /** @description The e-mail to an invented payer, from the templates in use. */
    NoticePreview: {
      /** @enum {string} */
      type:
        | 'payment.failed'
        | 'payment.increase_announced'
        | 'payment.upcoming'
        | 'subscription.paused'
        | 'subscription.resumed'
        | 'subscription.cancelled'
        | 'subscription.completed';
      /** @enum {string} */
      language: 'en' | 'de' | 'fr' | 'nl';
      subject: string;
      /** @description The plain text of the e-mail; paragraphs are separated by empty lines */
      text: string;
      /** @description The HTML of the e-mail */
      html: string;
    };
    /** @description A notice could not be delivered and was given up. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        noticeId: string | null;
        notice: string | null;
        cycle: number | null;
        attempt: number | null;
        channel: string | null;
      };
    };
    /** @description The reason for this request, for the audit log. */
    OptionalReason: {
      reason?: string;
    };
    /** @description The period to compare. */
    OrderReconciliation: {
      /**
       * Format: date-time
       * @description The start of the period, inclusive
       */
      from: string;
      /**
       * Format: date-time
       * @description The end of the period, exclusive
       */
      to: string;
    };
    /** @description When the pause ends, and the reason for it. */
    PauseSubscription: {
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      until?: string;
      reason?: string;
    };
    /** @description The payer, as far as the key may read personal data; empty once erased. */
    Payer: {
      /** @description Omitted for viewers without scopes, and for keys with scopes that do not include payers:read */
      name?: string;
      /** @description Masked (a***@example.com) for viewers without scopes, and for keys with scopes that do not include payers:read */
      email?: string;
      /** @description As given by the merchant */
      reference?: string;
      /**
       * @description Language of messages to the payer
       * @enum {string}
       */
      language?: 'en' | 'de' | 'fr' | 'nl';
    };
    /** @description Details of the payer besides the address. */
    PayerDetails: {
      /**
       * Format: idn-email
       * @description An e-mail address; letters of every script are allowed
       */
      email?: string;
      reference?: string;
      /**
       * @description Language of messages to the payer; defaults to en
       * @enum {string}
       */
      language?: 'en' | 'de' | 'fr' | 'nl';
    };
    /** @description All data stored about the payer. */
    PayerRecord: {
      reference: string;
      /** @description One for each subscription and payment, oldest first */
      records: components['schemas']['StoredRecord'][];
      /**
       * Format: int64
       * @description Responses stored for repeated requests
       */
      keptAnswers: number;
      /**
       * Format: int64
       * @description Events for your systems, stored for EVENT_RETENTION_DAYS
       */
      events: number;
      /** @description What still prevents the erasure; at most 100 entries */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description The payment failed. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        authorizationId: string | null;
        captureId: string | null;
        detail: string | null;
      };
    };
    /** @description Where the payer pays the cycle, and until when. */
    PaymentLink: {
      paymentId: string;
      redirectURL: string;
      /**
       * Format: date-time
       * @description When the session at `redirectURL` ends automatically; real time
       */
      expiresAt: string;
    };
    /** @description A link was created by which the payer can pay a failed or missed cycle: `linkPaymentId` is its one-time payment. */
    PaymentLinkCreatedEvent: {
      /** @enum {string} */
      type: 'payment_link.created';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        linkPaymentId: string | null;
        expiresAt: string | null;
      };
    };
    /** @description The payer has paid a cycle by a link; `isSecondDebit` if the cycle had been collected meanwhile. */
    PaymentLinkPaidEvent: {
      /** @enum {string} */
      type: 'payment_link.paid';
      /** @description The webhook-id */
      id: string;
      /**
       * Format: date-time
       * @description Business time
       */
      timestamp: string;
      /**
       * Format: int64
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        cycle: number | null;
        amount: {
          /** Format: int64 */
          value: number;
          /** @enum {string} */
          currency: 'EUR';
        } | null;
        linkPaymentId: string | null;
        captureId: string | null;
        isSecondDebit: boolean | null;
      };
    };
    /** @description The authorization was released: the payer is not debited. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description When the cycle is first tried, and the reason. With the due date, an earlier postponement is undone. */
    PostponeCycle: {
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      until: string;
      reason?: string;
    };
    /** @description Problem details (RFC 9457). Programs should rely on `code`; `title` and `detail` are for humans. */
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
    /** @description The delivery was queued and is sent in the background. */
    QueuedDelivery: {
      eventId: string;
      endpointId: string;
      /** Format: int64 */
      deliveryId: number;
    };
    /** @description Everything required is available; each check has its latency. */
    Readiness: {
      /** @enum {string} */
      status: 'ready';
      /** @description Whether all sending is halted; omitted if it cannot be read */
      halted?: boolean;
      checks: {
        name: string;
        /** @enum {string} */
        status: 'ok' | 'failed';
        latencyMs: number;
        /**
         * @description The state of the circuit breaker of the checked part, if it has one
         * @enum {string}
         */
        circuit?: 'closed' | 'open' | 'half_open';
      }[];
    };
    /** @description A call of this API, ready to be sent. */
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
      /** @description The difference in plain words */
      text: string;
      /** @description Omitted for a one-time payment */
      subscriptionId?: string;
      paymentId: string;
      /**
       * Format: int64
       * @description Omitted if the ledger assigns the transaction to no cycle
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
    /** @description The ledger and the payment service disagree. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
      /** @description Null unless the job has finished: only then is it known */
      total: number | null;
      /**
       * Format: int64
       * @description Payments for which the payment service gave no readable answer
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
       * @description Differences found so far
       */
      differences: number;
      /** @description Who started the job: the name of an API key, `dueday` for the daily run, or `command line` */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      startedAt: string;
      /** @description Why the job failed */
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
      /** @description In business time: everything in the period up to this time has been compared. Null if a part of the period has never been compared */
      comparedAt: string | null;
      /**
       * Format: int64
       * @description Number of payments compared, by all comparisons in `compared`
       */
      payments: number;
      /** Format: int64 */
      differences: number;
      /** @description Which comparison covers which part of the period */
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
      /** @description Parts of the period that no comparison covers */
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
    /** @description The record of the ledger or of the payment service. */
    ReconciliationSide: {
      state: string;
      amount: components['schemas']['Money'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      at: string;
    };
    /** @description How many cycles were collected at the first attempt, recovered or lost. */
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
        /** @description Null if there is no value */
        key: string | null;
        /** @description Collected by the first attempt */
        firstAttempt: components['schemas']['Figure'];
        /** @description Refused at first, then collected by a retry */
        recovered: components['schemas']['Figure'];
        /** @description Failed or missed, then paid by the payer by a payment link */
        recoveredByLink: components['schemas']['Figure'];
        /** @description Refused and not collected */
        lost: components['schemas']['Figure'];
        /** @description Refused and still open */
        open: components['schemas']['Figure'];
        /** @description From the first refusal to the debit by a retry; null if no cycle was recovered by a retry */
        hoursToRecover: {
          /** @description Hours, to two decimals */
          median: number;
          /** @description Hours, to two decimals */
          mean: number;
        } | null;
      }[];
      total: {
        /** @description Collected by the first attempt */
        firstAttempt: components['schemas']['Figure'];
        /** @description Refused at first, then collected by a retry */
        recovered: components['schemas']['Figure'];
        /** @description Failed or missed, then paid by the payer by a payment link */
        recoveredByLink: components['schemas']['Figure'];
        /** @description Refused and not collected */
        lost: components['schemas']['Figure'];
        /** @description Refused and still open */
        open: components['schemas']['Figure'];
        /** @description From the first refusal to the debit by a retry; null if no cycle was recovered by a retry */
        hoursToRecover: {
          /** @description Hours, to two decimals */
          median: number;
          /** @description Hours, to two decimals */
          mean: number;
        } | null;
      };
      /** @description Always null: the report has a single page. */
      nextCursor: string | null;
    };
    /** @description A refund and its status. */
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
      /** @description Only in the response to the order: what speaks against the refund, such as a debit reversed elsewhere */
      warnings?: string[];
    };
    /** @description The refund failed. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description The payer was refunded. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description It is unknown whether the refund was made. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
    /** @description What a replay would send. */
    ReplayCount: {
      /**
       * Format: int64
       * @description Events that would be sent if the replay were started now
       */
      total: number;
    };
    /** @description The period, in business time, whose events are sent again. */
    ReplayEvents: {
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      since: string;
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      until?: string;
      types?: string[];
      /** @default false */
      onlyFailed?: boolean;
      /**
       * @description Only counts the events, and sends none
       * @default false
       */
      dryRun?: boolean;
    };
    /** @description A job that resends the events of a period. */
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
       * @description Events delivered or abandoned so far
       */
      done: number;
      /** Format: int64 */
      total: number;
      /**
       * Format: int64
       * @description The part of `done` that had not been delivered before; these events are sent first
       */
      newDone: number;
      /**
       * Format: int64
       * @description The part of `total` that had not been delivered before
       */
      newTotal: number;
      /**
       * Format: int64
       * @description Events abandoned as dead letters
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
      /** @description The name of the API key that started the job */
      orderedBy: string;
      /**
       * Format: date-time
       * @description In business time
       */
      startedAt: string;
    };
    /** @description The reason for this request, for the audit log. */
    RequiredReason: {
      reason: string;
    };
    /** @description The endpoint to which the event is sent again. */
    ResendEvent: {
      endpointId: string;
    };
    /** @description The outcome of the capture, with evidence. */
    ResolveCapture: {
      /** @enum {string} */
      outcome: 'successful' | 'failed';
      evidence: string;
      /** @description The payment service's id of the capture or refund; required with the outcome `successful`, not allowed otherwise */
      captureId?: string;
    };
    /** @description The outcome of the attempt, with evidence. */
    ResolveCycle: {
      /** @enum {string} */
      outcome: 'collected' | 'failed';
      evidence: string;
      authorizationId?: string;
      captureId?: string;
      /**
       * Format: int64
       * @description Only with outcome `failed`, for an adopted debit: the number of the previous cycle, which the debit paid
       */
      paidCycle?: number;
    };
    /** @description The outcome of the refund, with evidence. */
    ResolveRefund: {
      /** @enum {string} */
      outcome: 'successful' | 'failed';
      evidence: string;
      /** @description The payment service's id of the capture or refund; required with the outcome `successful`, not allowed otherwise */
      serviceRefundId?: string;
    };
    /** @description How retries at other times would probably have performed. */
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
      /** @description All cycles whose first attempt was refused as retryable */
      refused: components['schemas']['Figure'];
      items: {
        /**
         * Format: int64
         * @description Hours after the first refusal
         */
        offsetHours: number;
        /** @description Cycles for which a retry had succeeded by then */
        met: components['schemas']['Figure'];
        /** @description Cycles for which a retry was still refused then or later */
        refused: components['schemas']['Figure'];
        /** @description Cycles without an attempt at a conclusive time */
        unknown: components['schemas']['Figure'];
        /**
         * Format: int64
         * @description Retries made within three hours of this offset
         */
        tried: number;
        /**
         * Format: int64
         * @description The part of `tried` that succeeded
         */
        collected: number;
      }[];
      /** @description Always null: the report has a single page. */
      nextCursor: string | null;
    };
    /** @description When the next retry is made (now if omitted), and the reason. */
    RetryCycle: {
      /**
       * Format: date-time
       * @description ISO 8601 with date, time of day and UTC offset
       */
      at?: string;
      reason: string;
    };
    /** @description For how long the old key remains valid. */
    RotateKey: {
      /**
       * @description Hours for which the old key remains valid
       * @default 24
       */
      overlapHours?: number;
      reason?: string;
    };
    /** @description For how long the old secret is also used to sign. */
    RotateWebhookSecret: {
      /** @default 24 */
      overlapHours?: number;
    };
    /** @description The rule behind a decision, as it was at that time. */
    Rule: {
      /**
       * Format: int64
       * @description The number of the rule
       */
      decision: number;
      /** @description The sentence on which the decision is based */
      sentence: string;
      /**
       * @description `reference`: the sentence is from the description of the payment service; `dueday`: a rule of dueday
       * @enum {string}
       */
      source: 'reference' | 'dueday';
    };
    /** @description An upcoming cycle. */
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
      /**
       * Format: date-time
       * @description When the cycle is first tried instead of at its due date
       */
      postponedUntil?: string;
      /**
       * Format: date-time
       * @description When the hold ends that stops the first attempt until then
       */
      heldUntil?: string;
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
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
      payer: components['schemas']['Payer'];
    };
    /** @description A session, with its powers and time limits. */
    Session: {
      /** @description The name of the key, under which the audit log records the actions of this session */
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
      /** @description Must be sent as X-CSRF-Token with every write */
      csrfToken: string;
      /**
       * Format: date-time
       * @description Real time; extended by user action
       */
      idleEndsAt: string;
      /**
       * Format: date-time
       * @description Real time; not extended
       */
      endsAt: string;
      /** @description Business time */
      clock: {
        /**
         * Format: date-time
         * @description YYYY-MM-DDThh:mm:ss.sssZ
         */
        now: string;
        /** @description Seconds of business time per real second */
        speed: number;
        isTest: boolean;
      };
      /** @description Whether Event Dependent payments may be refunded */
      eventDependentRefunds: boolean;
      /** @description Base address of workflows in Temporal's Web UI; append a workflowId */
      workflowsUrl?: string;
    };
    /** @description A stored postal address. */
    StoredAddress: {
      name: string;
      street: string;
      postalCode: string;
      city: string;
      country: string;
      email?: string;
    };
    /** @description The data stored about the payer with one subscription or payment. */
    StoredRecord: {
      /** @enum {string} */
      kind: 'subscription' | 'payment';
      subscriptionId?: string;
      /** @description Omitted until the payment service has assigned one */
      paymentId?: string;
      /** @description `draft` until the payment service has answered */
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
    /** @description A subscription, with its standing and its consent. */
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
       * Format: date-time
       * @description Present while a hold stops its attempts: when the last of its holds ends automatically
       */
      heldUntil?: string;
      /**
       * @description Present while a cancellation is in progress: no new attempt is made, and the payment service has not confirmed it yet
       * @enum {boolean}
       */
      cancelling?: true;
      /** @enum {string} */
      cancelledBy?: 'payer' | 'merchant';
      pendingAmountChange?: components['schemas']['PendingAmountChange'];
      replaces?: string;
      replacedBy?: string;
      payer: components['schemas']['Payer'];
      metadata: components['schemas']['Metadata'];
      /**
       * Format: date-time
       * @description YYYY-MM-DDThh:mm:ss.sssZ
       */
      createdAt: string;
      workflowId: string;
      warnings?: string[];
    };
    /** @description The consent was granted: the subscription is collected from now on. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        cycles: number | null;
      };
    };
    /** @description The subscription was created; its payer is asked for the consent, or has given it elsewhere. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
      };
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        until: string | null;
      };
    };
    /** @description Another subscription has replaced it. */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
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
       * @description Absent in a test
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
        /** @description The number of the rule in docs/explain/rules.md */
        rule: number | null;
        /** @description Plain-language explanation */
        text: string;
        since: string | null;
      };
    };
    /** @description The number of subscriptions that match the filter, and what their next cycles collect in total: nothing for one that has ended or is paused without an end. */
    SubscriptionsReport: {
      amount: components['schemas']['Money'];
      /** Format: int64 */
      count: number;
      /** @description False if there are more than the 100000 that were counted */
      isWhole: boolean;
    };
    /** @description The type of the sample event. */
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
        | 'cycle.postponed'
        | 'cycle.missed'
        | 'cycle.unresolved'
        | 'cycle.resolved'
        | 'payment_link.created'
        | 'payment_link.paid'
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
    /** @description What needs attention now, and the results of the day so far. */
    TodayReport: {
      /**
       * Format: date
       * @description Today in the given time zone
       */
      day: string;
      timeZone: string;
      /** @description Open attention items, and the money they concern; excludes a halt */
      needsAttention: components['schemas']['Figure'];
      /** @description Open cycles whose deadline is within 24 hours and that have no pending or successful attempt */
      atRisk: components['schemas']['Figure'];
      /** @description Cycles in `dunning` */
      inRetry: components['schemas']['Figure'];
      /** @description Active or paused subscriptions whose last due cycle is `failed` or `missed`; the amount is that of the cycle */
      pastDue: components['schemas']['Figure'];
      /** @description Those of `pastDue` whose standing is `needs_attention`; the others are listed as `past_due` */
      pastDueInAttention: components['schemas']['Figure'];
      /** @description Cycles of which an attempt was refused on this day, each counted once */
      refusedToday: components['schemas']['Figure'];
      /** @description Debits that succeeded on this day */
      collectedToday: components['schemas']['Figure'];
      /** @description Cycles due on this day, including those later today */
      dueToday: components['schemas']['Figure'];
      /** @description Share of answered attempts that succeeded, in periods of 168 hours */
      successRate: {
        /** @description From 0 to 1; null if there were no answered attempts */
        last7Days: number | null;
        /** @description From 0 to 1; null if there were no answered attempts */
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
    /** @description How and when the payer was notified, with evidence. */
    ToldByPerson: {
      /** @description How the payer was notified, such as phone */
      channel: string;
      /**
       * Format: date-time
       * @description When the payer was notified: after the event that the notice reports, and not after now
       */
      toldAt: string;
      /** @description For the audit log; without personal data */
      evidence: string;
    };
    /** @description A debit, a capture or a refund. */
    Transaction: {
      transactionId: string;
      /** @enum {string} */
      type: 'debit' | 'capture' | 'refund';
      /**
       * @description `pending` until the outcome is known
       * @enum {string}
       */
      status: 'pending' | 'successful' | 'failed';
      amount: components['schemas']['Money'];
      bookedAt: string | null;
      /**
       * Format: date-time
       * @description When the transaction started; the list is in this order
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
      /** @description For a refund, the capture that it refunds */
      captureId?: string;
      refundId?: string;
      /** @description The service's id of a refund */
      serviceRefundId?: string;
      /** @description Only for captures that were ordered here */
      orderId?: string;
      /** @description Why the transaction failed */
      detail?: string;
      /** @description The payer's reference */
      reference?: string;
      /**
       * Format: date-time
       * @description When a comparison found that a successful debit or capture was refunded or reversed elsewhere, without an order of dueday
       */
      reversedAt?: string;
      /** @description The part of the amount that was given back elsewhere */
      reversedAmount?: components['schemas']['Money'];
      /** @description Present with `reversedAt`: why the debit or capture must not be refunded again */
      advice?: string;
      /** @description The metadata of the subscription or payment */
      metadata: {
        [key: string]: string;
      };
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    TransactionPage: {
      items: components['schemas']['Transaction'][];
      nextCursor: string | null;
    };
    /** @description The delivery of one event to one endpoint; all times are real time. */
    WebhookDelivery: {
      /** Format: int64 */
      deliveryId: number;
      endpointId: string;
      eventId: string;
      type: string;
      /** @enum {string} */
      state: 'pending' | 'delivered' | 'dead';
      /** @description Whether the event is a sample, which is in no list of events and is never sent again */
      test: boolean;
      /** @description Whether this delivery is a replay or a resend */
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
       * @description The earliest time of the next try. In the past if the delivery is due and only waits for what waitingFor names, or for one of the posts to this endpoint that are in progress
       */
      nextTryAt?: string;
      /** @description Why the event has not been sent yet: the endpoint is disabled, another event of the same subject must be delivered first, or the time of the next try has not come; omitted if the delivery is due */
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
        /** @description The first 2 kB of the response, stored for 7 days; only for admins */
        answer?: string | null;
      }[];
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
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
      disabledReason?: 'disabled_by_admin' | 'gone' | 'failing';
      /**
       * Format: date-time
       * @description In real time: the first failed try since the last delivery
       */
      failingSince?: string;
      /** @description True for the endpoint configured as EVENT_WEBHOOK_URL */
      readOnly: boolean;
      /**
       * Format: date-time
       * @description In real time
       */
      createdAt: string;
      /** @description Only in the response to a call that creates or changes the endpoint: what may be a mistake */
      warnings?: string[];
    };
    /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
    WebhookEndpointPage: {
      items: components['schemas']['WebhookEndpoint'][];
      nextCursor: string | null;
    };
    /** @description The collection windows that end within one hour: how many, and their total amount. */
    WindowsLost: {
      /**
       * Format: date-time
       * @description The beginning of the hour, UTC
       */
      hour: string;
      /** Format: int64 */
      count: number;
      amount: components['schemas']['Money'];
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
      /** @description The process is alive. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Health'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
      /** @description Everything required is available; each check has its latency. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Readiness'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      503: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Only items created at or after this time */
        createdFrom?: string;
        /** @description Only items created before this time */
        createdTo?: string;
        /** @description Only subscriptions next due, or payments with `captureBy`, at or after this time */
        dueFrom?: string;
        /** @description Only subscriptions next due, or payments with `captureBy`, before this time */
        dueTo?: string;
        metadata?: components['schemas']['Metadata'];
        /** @description Searches ids, and references, names and e-mail addresses of payers */
        q?: string;
        /** @description A hyphen sorts latest first. Sorting by dueAt lists only items that have a due date */
        sort?: '-createdAt' | 'createdAt' | '-dueAt' | 'dueAt';
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /** @description Only subscriptions next due before this time, as with `dueTo` */
        dueBefore?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SubscriptionPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The subscription was created and waits for the payer’s consent. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  exportSubscriptions: {
    parameters: {
      query?: {
        /** @description Only items created at or after this time */
        createdFrom?: string;
        /** @description Only items created before this time */
        createdTo?: string;
        /** @description Only subscriptions next due, or payments with `captureBy`, at or after this time */
        dueFrom?: string;
        /** @description Only subscriptions next due, or payments with `captureBy`, before this time */
        dueTo?: string;
        metadata?: components['schemas']['Metadata'];
        /** @description Searches ids, and references, names and e-mail addresses of payers */
        q?: string;
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /** @description Only subscriptions next due before this time, as with `dueTo` */
        dueBefore?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description One line for each subscription; as CSV, after a header. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
          'text/csv': string;
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CyclePage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Number of cycles */
        count?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ScheduledCyclePage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The cancellation was accepted; the payment service has not confirmed it yet. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A change of the amount, and the first cycle it applies to. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AmountChange'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  postponeCycle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
        'application/json': components['schemas']['PostponeCycle'];
      };
    };
    responses: {
      /** @description One due date of a subscription, with its attempts and refunds. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
        'application/json': components['schemas']['RetryCycle'];
      };
    };
    responses: {
      /** @description The retry was accepted and is made in the background. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Cycle'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Only items created at or after this time */
        createdFrom?: string;
        /** @description Only items created before this time */
        createdTo?: string;
        /** @description Only subscriptions next due, or payments with `captureBy`, at or after this time */
        dueFrom?: string;
        /** @description Only subscriptions next due, or payments with `captureBy`, before this time */
        dueTo?: string;
        metadata?: components['schemas']['Metadata'];
        /** @description Searches ids, and references, names and e-mail addresses of payers */
        q?: string;
        /** @description A hyphen sorts latest first. Sorting by dueAt lists only items that have a due date */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPaymentPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The payment was created and waits for the payer’s consent. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createPaymentLink: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
        'application/json': components['schemas']['CreatePaymentLink'];
      };
    };
    responses: {
      /** @description The session is open: send the payer to `redirectURL`. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PaymentLink'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key': string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The capture was accepted; its `status` says whether it has succeeded. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Capture'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The release was accepted; the payment service has not confirmed it yet. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantPayment'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key': string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The refund was accepted; its `status` says whether it has succeeded. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key': string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The refund was accepted; its `status` says whether it has succeeded. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A capture and its status. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Capture'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A refund and its status. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Refund'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Only entries with this name of an API key, or dueday, as the actor */
        actor?: string;
        /** @description Only entries of actions with this API key */
        keyId?: string;
        /** @description Only entries of this type, such as cycle.collected */
        type?: string;
        /** @description ISO 8601 with date, time of day and UTC offset */
        from?: string;
        /** @description ISO 8601 with date, time of day and UTC offset */
        to?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditEntryPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AuditEntry'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Only transactions at or after this time; compared with `bookedAt`, or with `createdAt` if not booked */
        from?: string;
        /** @description Only transactions before this time; compared like `from` */
        to?: string;
        type?: 'debit' | 'capture' | 'refund';
        status?: 'pending' | 'successful' | 'failed';
        subscriptionId?: string;
        paymentId?: string;
        /** @description The payer's reference */
        reference?: string;
        /** @description Whether the debit or capture was given back outside dueday: refunded without an order of dueday, or reversed */
        reversed?: 'true' | 'false';
        /** @description The transactionId after which the list continues, instead of a cursor: resumes an interrupted export */
        after?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list; with `Accept: text/csv`, the whole list as a stream. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TransactionPage'];
          'text/csv': string;
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description `newest` goes back in time, page by page; events recorded meanwhile are not shown */
        order?: 'oldest' | 'newest';
        /** @description The `nextCursor` of an earlier page */
        after?: string;
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; separate several with commas */
        types?: string;
        subscriptionId?: string;
        paymentId?: string;
        limit?: number;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events. Its `nextCursor` is always present. It leads to later events or, with `order=newest`, to earlier ones; a page of earlier events with fewer than `limit` items is the last. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MerchantEventPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  getMerchantEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description An event as it is posted to endpoints, and its deliveries. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EventWithDeliveries'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpointPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The endpoint was created; its secret is shown only once. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewWebhookSecret'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookEndpoint'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The endpoint with its secret, which is shown only once. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NewWebhookSecret'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; separate several with commas */
        type?: string;
        /** @description Only deliveries whose last try was answered with this HTTP status */
        status?: number;
        /** @description Only deliveries created at or after this real time */
        from?: string;
        /** @description Only deliveries created before this real time */
        to?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDeliveryPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description With `dryRun`: nothing was sent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayCount'];
        };
      };
      /** @description The job was started; `Location` is its path. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReplayJob'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The delivery was queued and is sent in the background. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueuedDelivery'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The delivery was queued and is sent in the background. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['QueuedDelivery'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description `*`, a type such as cycle.upcoming, or all of a subject such as cycle.*; separate several with commas */
        types?: string;
        subscriptionId?: string;
        paymentId?: string;
        /** @description Adds `event: change` for every write, containing only the id of its subject, and `event: installation_change` with `{}` for writes that concern no subscription or payment; each at most once a second */
        changes?: 'true' | 'false';
      };
      header?: {
        /** @description The id of the last event received. The stream resumes after it. */
        'Last-Event-ID'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Each event has `id`, `event` and `data`. If no event was sent for 15 seconds, a comment is sent, with the `id` from which to resume. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Only items of this kind, such as unresolved */
        kind?: string;
        /** @description Only items of this subscription */
        subscriptionId?: string;
        /** @description Only items of this one-time payment */
        paymentId?: string;
        /** @description Empty: items without an assignee */
        assignee?: string;
        /** @description A hyphen sorts largest first; items without a deadline are last */
        sort?: '-since' | 'since' | 'deadline' | '-amount';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AttentionPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Attention'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
          | 'payment.upcoming'
          | 'subscription.paused'
          | 'subscription.resumed'
          | 'subscription.cancelled'
          | 'subscription.completed'
          | 'consent.failed'
          | 'cycle.missed'
          | 'cycle.failed'
          | 'cycle.unresolved'
          | 'capture.deadline_near';
        /** @description Only notices about this subscription */
        subscriptionId?: string;
        /** @description Only notices about this one-time payment */
        paymentId?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NoticePage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  previewNotice: {
    parameters: {
      query: {
        type:
          | 'payment.failed'
          | 'payment.increase_announced'
          | 'payment.upcoming'
          | 'subscription.paused'
          | 'subscription.resumed'
          | 'subscription.cancelled'
          | 'subscription.completed';
        language?: 'en' | 'de' | 'fr' | 'nl';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The e-mail to an invented payer, from the templates in use. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['NoticePreview'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The notice was queued and is sent in the background. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Notice'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Notice'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A subscription, with its standing and its consent. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Subscription'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description All data stored about the payer. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PayerRecord'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The personal data was erased; the counts show from how many records. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ErasedPayer'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The start of the period, inclusive */
        from: string;
        /** @description The end of the period, exclusive; at most 3660 days after `from` */
        to: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The totals of each day and of the whole period. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CollectionsReport'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeadlinePage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The start of the period, inclusive */
        from: string;
        /** @description The end of the period, exclusive; at most 366 days after `from` */
        to: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ForecastReport'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The start of the period, inclusive */
        from: string;
        /** @description The end of the period, exclusive; at most 3660 days after `from` */
        to: string;
        /** @description What to group by: number, UTC weekday (1 is Monday) or UTC hour of the last attempt; detail of the first refusal; or repetition */
        by?: 'attempt' | 'detail' | 'weekday' | 'hour' | 'repetition';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The report; with `Accept: text/csv`, its items as CSV. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecoveryReport'];
          'text/csv': string;
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The start of the period, inclusive */
        from: string;
        /** @description The end of the period, exclusive; at most 3660 days after `from` */
        to: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How retries at other times would probably have performed. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RetryAdvice'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Name in the IANA time zone database, such as Europe/Berlin; default: UTC */
        timeZone?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description What needs attention now, and the results of the day so far. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TodayReport'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list; with `Accept: text/csv`, the whole list as a stream. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['FailingPayerPage'];
          'text/csv': string;
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportSubscriptions: {
    parameters: {
      query?: {
        /** @description Only items created at or after this time */
        createdFrom?: string;
        /** @description Only items created before this time */
        createdTo?: string;
        /** @description Only subscriptions next due, or payments with `captureBy`, at or after this time */
        dueFrom?: string;
        /** @description Only subscriptions next due, or payments with `captureBy`, before this time */
        dueTo?: string;
        metadata?: components['schemas']['Metadata'];
        /** @description Searches ids, and references, names and e-mail addresses of payers */
        q?: string;
        status?: 'pending_consent' | 'consent_failed' | 'active' | 'paused' | 'cancelled' | 'completed';
        standing?: 'needs_attention' | 'dunning' | 'past_due' | 'good';
        repetition?: 'WEEKLY' | 'MONTHLY' | 'QUARTERLY' | 'HALF_YEARLY' | 'YEARLY';
        /** @description Only subscriptions next due before this time, as with `dueTo` */
        dueBefore?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The number of subscriptions that match the filter, and what their next cycles collect in total: nothing for one that has ended or is paused without an end. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SubscriptionsReport'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportDeliveries: {
    parameters: {
      query?: never;
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The tries of the last 24 hours at each endpoint that had any, by the hour; all times are real time. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DeliveriesReport'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The start of the period, inclusive */
        from: string;
        /** @description The end of the period, exclusive */
        to: string;
        limit?: number;
        cursor?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ReconciliationReport'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The comparison was started; `Location` is the path of its job. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description What the filter selects, and the token that starts the job. Nothing has been done yet. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['BulkDryRun'];
        };
      };
      /** @description The job was started; `Location` is its path. */
      202: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listHolds: {
    parameters: {
      query?: {
        limit?: number;
        cursor?: string;
        /** @description `over`: lifted, or ended automatically, in the last 90 days */
        state?: 'in_force' | 'over';
        /** @description Only holds of this subscription */
        subscriptionId?: string;
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['HoldPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createHold: {
    parameters: {
      query?: never;
      header?: {
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
        'X-CSRF-Token'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CreateHold'];
      };
    };
    responses: {
      /** @description The hold is in force. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Hold'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  liftHold: {
    parameters: {
      query?: {
        reason?: string;
      };
      header?: {
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description A hold: until it ends, no attempt of the matched subscriptions begins. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Hold'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A job and its progress. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
        'X-CSRF-Token'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A job and its progress. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Job'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Filters the results of a bulk job */
        state?: 'done' | 'refused';
      };
      header?: {
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the results of the job so far. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['JobResults'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Halt'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['KeyPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The key was created; its secret is shown only once. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedKey'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description The new key; its secret is shown only once. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description The path of the resource that was created or started. */
          Location?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['IssuedKey'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Key'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the list. Pass `nextCursor` as `cursor` to get the next page; it is null on the last page. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApprovalPage'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description Chosen by the caller, unique per request, and sent again with every repetition of the request. For 24 hours, a repetition returns the first response, and nothing is done twice. */
        'Idempotency-Key'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Present if the response is that of an earlier request with the same Idempotency-Key. */
          'Idempotent-Replay'?: 'true';
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Approval'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `ETag` of an earlier response. If it is still current, the response is 304 without a body. */
        'If-None-Match'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A session, with its powers and time limits. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description Not modified: the version named in `If-None-Match` is current. */
      304: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Identifies this version of the response; for use in `If-None-Match`. */
          ETag?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
      /** @description The session was opened; the cookie contains it. */
      201: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EndedSession'];
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
      query?: {
        /** @description Checks every line, at the payment service too, and stores nothing; needs no approval */
        dryRun?: 'true' | 'false';
      };
      header?: {
        /** @description The `approvalId` under which a second person has approved this request, after a 409 `approval_required`. */
        'Dueday-Approval'?: string;
        /** @description The `csrfToken` of the session. Required for writes that are authenticated by the session cookie; ignored with an API key. */
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
      /** @description One line of JSON for each line of the request, in order. */
      200: {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          [name: string]: unknown;
        };
        content: {
          'application/x-ndjson': string;
        };
      };
      /** @description The request was rejected; `code` says why. */
      '4XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
          'Retry-After'?: number;
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request failed, or its outcome is unknown. */
      '5XX': {
        headers: {
          /** @description The id of the request, as it appears in the log of dueday. */
          'X-Request-Id'?: string;
          /** @description Seconds to wait before repeating the request; absent if waiting does not help. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onCyclePostponed: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CyclePostponedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentLinkCreated: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentLinkCreatedEvent'];
      };
    };
    responses: {
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onPaymentLinkPaid: {
    parameters: {
      query?: never;
      header: {
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PaymentLinkPaidEvent'];
      };
    };
    responses: {
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
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
        /** @description The id of the event; the same in every delivery attempt. */
        'webhook-id': string;
        /** @description When this delivery attempt was signed, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One signature for each secret of the endpoint, separated by spaces. */
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
      /** @description The endpoint has accepted the event. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later; after 410 the endpoint is disabled. */
      '4XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description The event is sent again later. */
      '5XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}

"""The play through the client that openapi-python-client generates: package `dueday_client`."""

import os
import time
from datetime import datetime

from dueday_client import AuthenticatedClient
from dueday_client.api.cycles import refund_cycle
from dueday_client.api.subscriptions import cancel_subscription, create_subscription, get_subscription, list_cycles
from dueday_client.models import (
    Address,
    CreateRefund,
    CreateSubscription,
    CreateSubscriptionRepetition,
    Money,
    MoneyCurrency,
    PayerDetails,
)

DEADLINE = time.monotonic() + 120

client = AuthenticatedClient(base_url=os.environ["DUEDAY_URL"], token=os.environ["DUEDAY_KEY"])
first = datetime.fromisoformat(os.environ["FIRST_PAYMENT_AT"].replace("Z", "+00:00"))
amount = Money(value=1999, currency=MoneyCurrency.EUR)


def said(answer, status):
    assert answer.status_code == status, f"expected {status}; got {answer.status_code}: {answer.content!r}"
    return answer.parsed


def wait_for(what, find):
    while time.monotonic() < DEADLINE:
        found = find()
        if found is not None:
            return found
        time.sleep(0.2)
    raise TimeoutError(what)


def in_status(status):
    subscription = said(get_subscription.sync_detailed("from-python", client=client), 200)
    return subscription if subscription.status == status else None


def collected():
    page = said(list_cycles.sync_detailed("from-python", client=client), 200)
    return next((cycle for cycle in page.items if cycle.cycle == 0 and cycle.status == "collected"), None)


order = CreateSubscription(
    subscription_id="from-python",
    amount=amount,
    repetition=CreateSubscriptionRepetition.MONTHLY,
    start_at=first,
    first_payment_at=first,
    return_url="https://shop.example/return",
    billing_address=Address(
        name="Ada Byron",
        street="Ring 1",
        postal_code="10115",
        city="Berlin",
        country="DE",
        email="wallet+approves+auto@example.test",
    ),
    payer=PayerDetails(reference="python"),
)
said(create_subscription.sync_detailed(client=client, body=order, idempotency_key="create-from-python"), 201)
wait_for("active", lambda: in_status("active"))
wait_for("collected", collected)
refund = said(
    refund_cycle.sync_detailed(
        "from-python",
        0,
        client=client,
        body=CreateRefund(amount=Money(value=500, currency=MoneyCurrency.EUR)),
        idempotency_key="refund-from-python",
    ),
    201,
)
assert refund.amount.value == 500
cancelled = cancel_subscription.sync_detailed("from-python", client=client)
assert cancelled.status_code in (200, 202), cancelled.content
wait_for("cancelled", lambda: in_status("cancelled"))
print("completed")

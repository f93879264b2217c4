import base64
import hashlib
import hmac
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SHOP_URL = os.environ.get("SHOP_URL", "http://127.0.0.1:3000")
DUEDAY_URL = os.environ.get("DUEDAY_URL", "http://127.0.0.1:8080")
DUEDAY_KEY = os.environ["DUEDAY_KEY"]

PRICE = {"value": 1999, "currency": "EUR"}  # 19.99 EUR

# These stand in for the shop's database: the state of each order, the events already handled, and how far they were read.
orders, seen, feed = {}, set(), {"after": None}
lock = threading.Lock()


def dueday(method, path, body=None, key=None):
    """One call of the admin API. Raises with the API's own explanation if it refuses."""
    headers = {"authorization": f"Bearer {DUEDAY_KEY}", "accept": "application/json"}
    if body is not None:
        headers["content-type"] = "application/json"
    if key is not None:
        headers["idempotency-key"] = key
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(DUEDAY_URL + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise RuntimeError(json.load(error)["detail"]) from error


def open_endpoint():
    types = ["subscription.*", "consent.failed", "cycle.*", "refund.*"]
    answer = dueday("POST", "/v1/webhook-endpoints", {"url": f"{SHOP_URL}/events", "types": types})
    return base64.b64decode(answer["secret"].removeprefix("whsec_"))


def subscribe(order_id, start):
    """The address where the payer approves; after a declined try, that of a new subscription with its own id."""
    order = orders.setdefault(order_id, {"status": "new", "attempt": 1, "cyclesPaid": 0, "refunded": False})
    if order["status"] == "declined":
        order["attempt"] += 1
    subscription_id = f"{order_id}-{order['attempt']}"
    body = {
        "subscriptionId": subscription_id,
        "amount": PRICE,
        "repetition": "MONTHLY",
        "startAt": start,
        "firstPaymentAt": start,
        "returnURL": f"{SHOP_URL}/order?id={order_id}",
        "billingAddress": {
            "name": "Ada Byron",
            "street": "Ring 1",
            "postalCode": "10115",
            "city": "Berlin",
            "country": "DE",
        },
        "payer": {"email": "ada@example.com", "reference": "customer 7"},
        "metadata": {"order": order_id},
    }
    answer = dueday("POST", "/v1/subscriptions", body, key=f"subscribe/{subscription_id}")
    if "redirectURL" not in answer["consent"]:
        raise RuntimeError(f"the order {order_id} is already {answer['status']}")
    order["status"] = "waiting for the payer"
    return answer["consent"]["redirectURL"]


def verify(secret, headers, body):
    """Raises ValueError unless dueday signed this body within the last five minutes."""
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    is_signed = any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))
    if not is_signed or abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        raise ValueError("not signed by dueday")


def handle(event):
    with lock:
        order = orders.get((event["data"].get("metadata") or {}).get("order"))
        if order is None or event["id"] in seen:
            return
        seen.add(event["id"])
        kind = event["type"]
        if order["status"] != "ended":
            order["status"] = STATUSES.get(kind, order["status"])
        if kind == "cycle.collected":
            order["cyclesPaid"] += 1
        elif kind == "refund.successful":
            order["refunded"] = True


# The status that an event gives an order that has not ended.
STATUSES = {
    "subscription.activated": "active",
    "consent.failed": "declined",
    "cycle.dunning": "in retry",
    "cycle.failed": "past due",
    "cycle.missed": "past due",
    "cycle.collected": "active",
    "subscription.cancelled": "ended",
}


def pull():
    """Reads every event since the last call. Returns how many there were."""
    count = 0
    while True:
        query = {"limit": 200} if feed["after"] is None else {"limit": 200, "after": feed["after"]}
        page = dueday("GET", f"/v1/events?{urllib.parse.urlencode(query)}")
        for event in page["items"]:
            handle(event)
        feed["after"] = page["nextCursor"]
        count += len(page["items"])
        if not page["items"]:
            return count


def refund(order_id, cycle):
    subscription_id = f"{order_id}-{orders[order_id]['attempt']}"
    path = f"/v1/subscriptions/{subscription_id}/cycles/{cycle}/refunds"
    body = {"amount": PRICE, "reason": "the coffee arrived cold"}
    dueday("POST", path, body, key=f"refund/{subscription_id}/{cycle}")


class Shop(BaseHTTPRequestHandler):
    secret = b""

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path == "/subscribe":
            self.reply(303, location=subscribe(query["id"], query["from"]))
        elif url.path == "/order":
            self.reply(200, json.dumps(orders.get(query["id"])))
        elif url.path == "/pull":
            self.reply(200, str(pull()))
        elif url.path == "/refund":
            refund(query["id"], int(query["cycle"]))
            self.reply(202)
        else:
            self.reply(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            verify(self.secret, self.headers, body)
        except ValueError:
            self.reply(400)
            return
        handle(json.loads(body))
        self.reply(204)

    def reply(self, status, text="", location=None):
        self.send_response(status)
        if location is not None:
            self.send_header("location", location)
        if status != 204:
            self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", urllib.parse.urlparse(SHOP_URL).port), Shop)
    Shop.secret = open_endpoint()
    server.serve_forever()

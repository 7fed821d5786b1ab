"""Client of Parley: `Parley`, or `AsyncParley` for asyncio and trio."""

from . import models
from ._async.client import AsyncParley
from ._async.pages import AsyncDownload, AsyncListing, AsyncPage
from ._errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionError,
    MethodNotAllowedError,
    NotFoundError,
    ParleyError,
    PayloadTooLargeError,
    PermissionError,
    RateLimitError,
    ServerError,
    TimeoutError,
    UnavailableError,
    UnprocessableError,
    UnsupportedMediaTypeError,
)
from ._request import Answer, RequestOptions, with_response
from ._sse import Message
from ._sync.client import Parley
from ._sync.pages import Download, Listing, Page
from .webhooks import SignedBody, WebhookVerificationError, sign_for_test, verify_webhook

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "ApiError",
    "AsyncDownload",
    "AsyncListing",
    "AsyncPage",
    "AsyncParley",
    "AuthenticationError",
    "BadRequestError",
    "ConflictError",
    "ConnectionError",
    "Download",
    "Listing",
    "Message",
    "MethodNotAllowedError",
    "NotFoundError",
    "Page",
    "Parley",
    "ParleyError",
    "PayloadTooLargeError",
    "PermissionError",
    "RateLimitError",
    "RequestOptions",
    "ServerError",
    "SignedBody",
    "TimeoutError",
    "UnavailableError",
    "UnprocessableError",
    "UnsupportedMediaTypeError",
    "WebhookVerificationError",
    "models",
    "sign_for_test",
    "verify_webhook",
    "with_response",
]

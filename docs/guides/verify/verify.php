<?php
// Verifies a webhook of Parley with nothing but PHP.
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** `$body` must be the bytes as they came, `file_get_contents('php://input')`: parse the JSON afterwards. */
function isGenuine(string $secret, string $signatureHeader, string $body, ?int $now = null): bool
{
    $parts = array_map(fn (string $part) => explode('=', trim($part), 2), explode(',', $signatureHeader));
    $valuesOf = fn (string $name) => array_values(array_map(
        fn (array $part) => $part[1],
        array_filter($parts, fn (array $part) => count($part) === 2 && $part[0] === $name),
    ));
    $times = $valuesOf('t');
    if (count($times) !== 1 || preg_match('/\A\d{1,12}\z/', $times[0]) !== 1) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $times[0]) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = hash_hmac('sha256', "{$times[0]}.{$body}", $secret);
    // While a secret is rotated there are two signatures; one that fits is enough.
    $fitting = array_filter($valuesOf('v1'), fn (string $given) => hash_equals($expected, $given));
    return count($fitting) > 0;
}

// WEBHOOK_SECRET=whsec_... php verify.php "$X_SERVICE_SIGNATURE" < body
if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    exit(isGenuine((string) getenv('WEBHOOK_SECRET'), $argv[1], (string) stream_get_contents(STDIN)) ? 0 : 1);
}

<?php
// The story with the client that openapi-generator writes for PHP. Its classes are all loaded first: PHP compiles a
// file when it is loaded, and whatever it complains of ends the story.
declare(strict_types=1);

use OpenAPI\Client\Api\{PeopleApi, VoicemailsApi, WebhooksApi};
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\{PersonCreate, VoicemailCreate, WebhookCreate, WebhookEventType};

error_reporting(E_ALL);
set_error_handler(function (int $level, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $level, $file, $line);
});

[, $client, $guzzle] = $argv;
require $guzzle;
spl_autoload_register(function (string $class) use ($client): void {
    $file = $client . '/lib/' . str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) require_once $file;
});
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$client/lib")) as $file)
    if ($file->getExtension() === 'php') require_once $file->getPathname();

function expect(bool $isTrue, string $what): void
{
    if (!$isTrue) throw new Exception("Not so: $what");
}

function untilPosted(string $url): array
{
    $inbox = new GuzzleHttp\Client(['verify' => getenv('INBOX_CA'), 'http_errors' => false]);
    for ($tries = 0; $tries < 3000; $tries++) {
        $answer = $inbox->get($url);
        if ($answer->getStatusCode() === 200) return json_decode((string) $answer->getBody(), true);
        usleep(100_000);
    }
    throw new Exception('No webhook came within five minutes');
}

function isSigned(string $secret, array $posted): bool
{
    preg_match('/t=(\d+),v1=(\w+)/', $posted['signature'], $parts);
    return hash_equals(hash_hmac('sha256', "$parts[1].{$posted['body']}", $secret), $parts[2]);
}

$config = (new Configuration())->setHost(getenv('PARLEY_BASE_URL') . '/api/v1')
    ->setAccessToken(getenv('PARLEY_API_KEY'));
$people = new PeopleApi(null, $config);
$voicemails = new VoicemailsApi(null, $config);
$webhooks = new WebhooksApi(null, $config);
$phone = '+12025550147';

$made = $people->createPerson(new PersonCreate(['display_name' => 'Amara Diallo', 'primary_phone' => $phone]));
expect($made->getDisplayName() === 'Amara Diallo', 'a person was made');

$listed = $people->listPeople(limit: 1, q: 'Diallo');
expect($listed->getData()[0]->getId() === $made->getId(), 'the person is listed');

$voicemail = $voicemails->createVoicemail(new VoicemailCreate(['caller_number' => $phone]));
$silence = tempnam(sys_get_temp_dir(), 'silence');
file_put_contents($silence, 'RIFF' . pack('V', 8036) . 'WAVEfmt ' . str_repeat("\0", 8028));
$uploaded = $voicemails->putVoicemailRecording($voicemail->getId(), new SplFileObject($silence));
unlink($silence);
expect($uploaded->getRecordingStatus() === 'available', 'its recording is there');

$url = getenv('INBOX_URL') . '/openapi-generator-php';
$wanted = new WebhookCreate(['url' => $url, 'event_types' => [WebhookEventType::CALL_ENDED]]);
$webhook = $webhooks->createWebhook($wanted);
$webhooks->testWebhook($webhook->getId());
expect(isSigned($webhook->getSecret(), untilPosted($url)), 'its delivery is signed');

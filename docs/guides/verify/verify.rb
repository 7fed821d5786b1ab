# Verifies a webhook of Parley with nothing but Ruby's standard library.
require 'openssl'

TOLERANCE_SECONDS = 300

# `body` must be the bytes as they came: parse the JSON afterwards.
def genuine?(secret, signature_header, body, now = Time.now)
  parts = signature_header.split(',').map { |part| part.strip.split('=', 2) }
  time = parts.assoc('t')&.last
  return false unless time&.match?(/\A\d{1,12}\z/) && (now.to_i - time.to_i).abs <= TOLERANCE_SECONDS

  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{time}.".b + body)
  # While a secret is rotated there are two signatures; one that fits is enough.
  parts.any? { |name, value| name == 'v1' && value && OpenSSL.secure_compare(value, expected) }
end

# WEBHOOK_SECRET=whsec_... ruby verify.rb "$X_SERVICE_SIGNATURE" < body
exit(genuine?(ENV.fetch('WEBHOOK_SECRET'), ARGV.fetch(0), $stdin.binmode.read) ? 0 : 1) if $PROGRAM_NAME == __FILE__

// Verifies a webhook of Parley with nothing but Java 17.
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Verify {
    static final long TOLERANCE_SECONDS = 300;

    /** The body must be the bytes as they came: parse the JSON afterwards. */
    static boolean isGenuine(String secret, String signatureHeader, byte[] body, Instant now)
            throws GeneralSecurityException {
        List<String> times = valuesOf("t", signatureHeader);
        if (times.size() != 1 || !times.get(0).matches("[0-9]{1,12}")) return false;
        if (Math.abs(now.getEpochSecond() - Long.parseLong(times.get(0))) > TOLERANCE_SECONDS) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((times.get(0) + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.UTF_8);
        // While a secret is rotated there are two signatures; one that fits is enough.
        return valuesOf("v1", signatureHeader).stream()
                .anyMatch(given -> MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected));
    }

    private static List<String> valuesOf(String name, String header) {
        return Arrays.stream(header.split(","))
                .map(String::strip)
                .filter(part -> part.startsWith(name + "="))
                .map(part -> part.substring(name.length() + 1))
                .toList();
    }

    // WEBHOOK_SECRET=whsec_... java verify.java "$X_SERVICE_SIGNATURE" < body
    public static void main(String[] args) throws Exception {
        byte[] body = System.in.readAllBytes();
        System.exit(isGenuine(System.getenv("WEBHOOK_SECRET"), args[0], body, Instant.now()) ? 0 : 1);
    }
}

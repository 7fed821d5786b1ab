// A recording for the sandbox: a short tone as a WAV file, mono, 8,000 samples a second, 8 bits each.

const RATE = 8_000
const TONE_HZ = 440

export function beep(seconds: number): Buffer {
  const samples = Buffer.from(
    Array.from(
      { length: RATE * seconds },
      (_, index) => 128 + Math.round(60 * Math.sin((2 * Math.PI * TONE_HZ * index) / RATE)),
    ),
  )
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

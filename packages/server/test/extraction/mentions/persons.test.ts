import { describe, expect, test } from 'vitest'
import { valuesOf } from './found.js'

const persons = (said: string | readonly string[]) => valuesOf('person', said)

describe('names of people', () => {
  test.each([
    ['Hi, this is Maria Lopez.', 'Maria Lopez'],
    ['My name is Maria Lopez and I need help', 'Maria Lopez'],
    ['my name is maria lopez', 'Maria Lopez'],
    ["My name's Tom", 'Tom'],
    ["I'm Ludwig van der Berg, calling about a leak", 'Ludwig van der Berg'],
    ["It's Anne-Marie O'Neill speaking", "Anne-Marie O'Neill"],
    ['An appointment with Dr. Chen', 'Chen'],
    ['Could I speak to Mrs. Adams?', 'Adams'],
    ['The reservation is under the name of Okafor', 'Okafor'],
    ['Maria Lopez speaking.', 'Maria Lopez'],
    ['My last name is Nguyen', 'Nguyen'],
    ['so I said my name is maria lopez', 'Maria Lopez'],
    ['hi this is john calling about the leak', 'John'],
  ])('%s', (said, value) => expect(persons(said)).toEqual([value]))

  test('is the answer to who is calling', () => {
    expect(persons(['Hello?', 'May I have your name?', 'Sure, Maria Lopez.'])).toEqual(['Maria Lopez'])
    expect(persons(['hello', 'who is this?', 'maria lopez'])).toEqual(['Maria Lopez'])
    expect(persons(['Hello?', 'May I have your name?', 'No, thanks.'])).toEqual([])
  })

  test.each([
    'This is great, thanks',
    "I'm calling about my order",
    "I'm Looking for help",
    'This is Monday',
    'my name is on the list',
    'It is Fine',
    'Is that all?',
    "I'm in Boston",
    'This is a test',
    'What is your name?',
    'This is Brightwater Plumbing.',
    'it is fine',
    'this is not what i wanted',
  ])('no name: %s', (said) => expect(persons(said)).toEqual([]))
})

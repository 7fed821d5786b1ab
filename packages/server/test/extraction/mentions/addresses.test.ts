import { describe, expect, test } from 'vitest'
import { valuesOf } from './found.js'

const addresses = (said: string | readonly string[]) => valuesOf('address', said)

describe('street addresses', () => {
  test.each([
    ['We are at 48 Juniper Lane.', { street: '48 Juniper Lane' }],
    ['48 juniper lane', { street: '48 Juniper Lane' }],
    ['the address is 9 Harbor Row #1200', { street: '9 Harbor Row', unit: '#1200' }],
    ['710 Linden Road # B2', { street: '710 Linden Road', unit: '#B2' }],
    ['2014 Oak Grove Road', { street: '2014 Oak Grove Road' }],
    ['12 West 53rd Street, 4th floor', { street: '12 West 53rd Street', unit: 'Floor 4' }],
    [
      '350 5th Ave, Suite 300, New York, NY 10118',
      {
        street: '350 5th Ave',
        unit: 'Suite 300',
        city: 'New York',
        region: 'NY',
        postalCode: '10118',
      },
    ],
    [
      '3100 Balsam Street, San Mateo, CA 94401',
      {
        street: '3100 Balsam Street',
        city: 'San Mateo',
        region: 'CA',
        postalCode: '94401',
      },
    ],
    [
      '77 Pine Avenue Northwest, Washington, District of Columbia 20037, United States',
      {
        street: '77 Pine Avenue Northwest',
        city: 'Washington',
        region: 'DC',
        postalCode: '20037',
      },
    ],
    [
      '14 Argyle Street, Newtown New South Wales 2042, Australia',
      {
        street: '14 Argyle Street',
        city: 'Newtown',
        region: 'NSW',
        postalCode: '2042',
      },
    ],
    [
      '221B Harley Street, London W1G 6BW',
      {
        street: '221B Harley Street',
        city: 'London',
        postalCode: 'W1G 6BW',
      },
    ],
    ['9 Rue Victor Massé, 75009', { street: '9 Rue Victor Massé', postalCode: '75009' }],
    ['48 Juniper Lane in Newark', { street: '48 Juniper Lane', city: 'Newark' }],
    ['48 juniper lane, newark', { street: '48 Juniper Lane', city: 'Newark' }],
    ['forty-eight Juniper Lane, apartment four B', { street: '48 Juniper Lane', unit: 'Apt 4B' }],
    ['one two three Main Street, unit twelve', { street: '123 Main Street', unit: 'Unit 12' }],
    ['twenty-five oh one Elm Street', { street: '2501 Elm Street' }],
    ['My address is 1930 Broadway, apt. 4', { street: '1930 Broadway', unit: 'Apt 4' }],
    ['It is located at Fleet Street', { street: 'Fleet Street' }],
    ['1100 H Street', { street: '1100 H Street' }],
    ['77-15 Roosevelt Avenue', { street: '77-15 Roosevelt Avenue' }],
    ['500 N Michigan Ave', { street: '500 N Michigan Ave' }],
    ['500 N. Michigan Ave.', { street: '500 N. Michigan Ave' }],
    ['1200 Avenue of the Americas', { street: '1200 Avenue of the Americas' }],
    ['10 Dr. Martin Luther King Jr. Boulevard', { street: '10 Dr. Martin Luther King Jr. Boulevard' }],
    ["15 O'Connell Street", { street: "15 O'Connell Street" }],
    ['P.O. Box 1432, Newark, NJ 07101', { street: 'PO Box 1432', city: 'Newark', region: 'NJ', postalCode: '07101' }],
    [
      '48 Juniper Lane, Newark, New Jersey, zip code oh seven one oh two',
      {
        street: '48 Juniper Lane',
        city: 'Newark',
        region: 'NJ',
        postalCode: '07102',
      },
    ],
    ['4500 State Route 17', { street: '4500 State Route 17' }],
    ['8800 Highway 50', { street: '8800 Highway 50' }],
  ])('%s', (said, parts) => expect(addresses(said)).toEqual([expect.objectContaining(parts)]))

  test.each([
    ['The address is North Wing, 58, Jalan Merdeka, Old Town, 50470.', { city: 'Old Town', postalCode: '50470' }],
    ['It is located at 7B Airport T3 Road, Delhi - Agra Expressway, New Delhi.', { street: '7B Airport T3 Road' }],
    ['The address is 12 - 14 Queen Road, and we open at 9.', { street: '12-14 Queen Road' }],
    ['Flat 3, 14 Martin Place, Leeds LS1 4AP', { street: '14 Martin Place', unit: 'Flat 3', postalCode: 'LS1 4AP' }],
    ['The address is 2 Place de la Gare, 69003 Lyon, France.', { city: 'Lyon', postalCode: '69003' }],
    ['A cab to 2053 Broadway please', { street: '2053 Broadway' }],
    ['a house at 1221 west el camino real', { street: '1221 West El Camino Real' }],
    ['The office is at One Harbor Plaza.', { street: 'One Harbor Plaza' }],
    ['6 1/2 Elm Street', { street: '6 1/2 Elm Street' }],
  ])('of other makes: %s', (said, parts) => expect(addresses(said)).toEqual([expect.objectContaining(parts)]))

  test('a place that is called like an address is none, until its address is asked for', () => {
    const call = ['There is a hotel called 45 Harbor Lane.', 'I take 45 Harbor Lane.', 'Sure.', 'What is the address?']
    expect(addresses(call)).toEqual([])
    expect(addresses([...call, '45 Harbor Lane.'])).toHaveLength(1)
  })

  test('is written out in one line', () => {
    expect(addresses('350 5th Ave, Suite 300, New York, NY 10118')).toEqual([
      expect.objectContaining({ formatted: '350 5th Ave Suite 300, New York, NY 10118' }),
    ])
  })

  test('the answer to "where?" needs no kind of street', () => {
    expect(addresses(['Come by.', 'What is your address?', '1930 Broadway'])).toEqual([
      { formatted: '1930 Broadway', street: '1930 Broadway' },
    ])
  })

  test.each([
    'A table for 2 people at this place',
    'I found 3 hotels on the way',
    '4 people drive there',
    'There is a 5 star hotel called 45 Harbor Lane',
    'on 92nd Street',
    'It is 10 minutes down the road',
    'We have 2 rooms in the court',
    'It was 20 years ago, a long way',
    'I live in Seattle',
    '3 of them are on their way',
    '2 large pizzas and 1 salad to go',
    'I paid 30 dollars on the street',
    '5 days a week along the avenue',
  ])('no address: %s', (said) => expect(addresses(said)).toEqual([]))
})

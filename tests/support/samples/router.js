// Routes of the shop.
import express, { Router as makeRouter } from 'express'
import * as carts from './carts.js'
const { readFile } = require('node:fs')

export const LIMIT = 20

/**
 * Adds a product.
 * @param {string} id
 */
export function addProduct(id) {
  const product = carts.find(id)
  return product ?? makeRouter(id)
}

const double = (n) => n * 2

export const useCart = createStore((set) => {
  set({ items: LIMIT })
})

class Cart extends Base {
  total = 0
  #secret = 1

  onClick = () => {
    this.add(double(this.total))
  }

  static async add(item) {
    await readFile(item)
  }
}

export default { name: 'cart', created() { return new Cart() }, close: function () { return express() } }

Cart.prototype.empty = function () { return null }

module Tree where

import qualified Data.Map as Map
import Data.List (sort)

-- | A binary tree.
data Tree a = Leaf | Node (Tree a) a (Tree a)

type Pair = (Int, Int)

class Sized t where
  size :: t -> Int

-- | Inserts a value.
insert :: Ord a => a -> Tree a -> Tree a
insert x Leaf = Node Leaf x Leaf
insert x t = balance (Map.lookup x t)

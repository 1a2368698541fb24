import 'package:flutter/material.dart';
import 'store.dart' as store;

const kLimit = 3;

/// A counter.
class Counter extends StatelessWidget {
  final int start;
  Counter(this.start);

  /// Builds it.
  Widget build(BuildContext context) {
    return Text(label(start));
  }
}

enum Mode { light, dark }

String label(int n) => store.format(n);

import Foundation
import struct AVKit.Player

let maxVolume = 11

/// Plays songs.
@MainActor
public class Player: Base, Playable {
    var volume: Int = 3
    static let shared = Player()

    init(volume: Int) {
        self.volume = volume
    }

    /// Starts a song.
    func play(_ song: Song, at time: Double) -> Bool {
        engine.start(song)
        return prepare(time)
    }
}

protocol Playable { func play(_ song: Song, at time: Double) -> Bool }

enum Mode { case loop, shuffle(seed: Int) }

struct Song { let title: String }

extension Player {
    func stop() { engine.stop() }
}

typealias Seconds = Double

func prepare(_ time: Double) -> Bool { return time > 0 }
